// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// A log that a test can read.
package struct CollectedLog: Sendable {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append("\(event.level): \(event.message) \(event.metadata ?? [:])") }
        }
    }

    private let collected = Lines()
    /// A label of its own, because messages that are logged once are logged once per label.
    private let label = "test-" + UUID().uuidString

    package init() {}

    package var logger: Logger { Logger(label: label) { _ in Handler(lines: collected) } }

    /// The logged lines. Each begins with its level.
    package var lines: [String] { collected.all.withLock { $0 } }

    package var text: String { lines.joined(separator: "\n") }
}
