// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// A log that is kept, for a test to read.
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
    /// Of its own: what one log was told once, another one has not heard.
    private let label = "test-" + UUID().uuidString

    package init() {}

    package var logger: Logger { Logger(label: label) { _ in Handler(lines: collected) } }

    /// What was logged, each line beginning with its level.
    package var lines: [String] { collected.all.withLock { $0 } }

    package var text: String { lines.joined(separator: "\n") }
}
