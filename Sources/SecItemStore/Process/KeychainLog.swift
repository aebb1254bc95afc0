// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// The package's log.
///
/// The application decides where log lines go. With the environment variable `SECITEM_LOG` (a level of swift-log, such
/// as `debug`), all lines of that level and above also go to standard error.
extension Logger {
    package init(keychain label: String) {
        self.init(label: label)
        guard let name = SecureExecution.variable("SECITEM_LOG"), !name.isEmpty else { return }
        let level = ConfigurationWord.logLevel(name) ?? .debug
        if handler is StreamLogHandler {
            // An application that sets up no logging already writes to standard error.
            logLevel = level
        } else {
            var wanted = StreamLogHandler.standardError(label: label)
            wanted.logLevel = level
            handler = MultiplexLogHandler([handler, wanted])
        }
    }

    /// Logs a repeated line only once.
    ///
    /// Several parts of the package may report the same cause as it passes through them. Of several lines with the same
    /// `reason`, only the first is logged.
    package func once(_ level: Logger.Level, _ message: String, metadata: Logger.Metadata = [:]) {
        let cause = Self.cause(message, metadata)
        let key = (label.hasPrefix("secitem") ? "secitem" : label) + " " + cause
        let isNew = Self.said.withLock { said in
            // More causes than any program has. The limit keeps the set from growing for ever.
            if said.count > 1_000 { said.removeAll() }
            return said.insert(key).inserted
        }
        if isNew { log(level: level, "\(message)", metadata: metadata) }
    }

    /// What makes a line a repetition of another.
    fileprivate static func cause(_ message: String, _ metadata: Logger.Metadata) -> String {
        metadata["reason"].map { "\($0)" } ?? "\(message) \(metadata.sorted { $0.key < $1.key })"
    }

    private static let said = LockedValue<Set<String>>([])
}

/// The logger with one label. It is made at the first line, and kept.
///
/// It is no `static let`: making it calls the application, which may use a keychain, and that may log.
package final class KeychainLog: Sendable {
    private struct State: Sendable {
        var logger: Logger?
        var maker: pthread_t?
    }

    private let label: String
    private let state = LockedValue(State())

    package init(_ label: String) {
        self.label = label
    }

    /// The logger. While this thread is making it, a logger that logs nothing.
    package func callAsFunction() -> Logger {
        let own = pthread_self()
        let (known, isMaking) = state.withLock { state in
            let isMaking = state.logger == nil && state.maker == own
            if state.logger == nil { state.maker = own }
            return (state.logger, isMaking)
        }
        if let known { return known }
        if isMaking { return Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
        let made = Logger(keychain: label)
        return state.withLock { state in
            let first = state.logger ?? made
            state.logger = first
            return first
        }
    }
}
