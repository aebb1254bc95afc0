// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// Where the library's log lines go: warnings to standard error, more with `-v`, errors alone with `-q`.
struct CommandLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    /// The context decides. What is said before there is one is a warning at least.
    var logLevel: Logger.Level {
        get {
            let options = CommandContext.current.options
            return options.isVerbose ? .debug : options.isQuiet ? .error : .warning
        }
        set {}
    }

    /// Has the process log so. Once, at its start.
    static func begin() {
        LoggingSystem.bootstrap { _ in CommandLog() }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let suffix = details.isEmpty ? "" : " (\(details.joined(separator: "; ")))"
        Console.error("security: \(PrintedBytes.line("\(event.message)\(suffix)"))")
    }
}
