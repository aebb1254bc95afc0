// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import Synchronization

/// How far something has come, on a terminal, when it takes longer than a second. Gone when it is over.
final class ProgressBar: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var isShown = false
    }

    private let state: Mutex<State>
    private let title: String
    private let isWatched: Bool

    init(_ title: String) {
        self.title = title
        isWatched = isatty(STDERR_FILENO) == 1 && !CommandContext.current.options.isQuiet
        state = Mutex(State(next: .now + .seconds(1)))
    }

    /// Runs `body`, which tells how far it is.
    static func during<Result>(
        _ title: String, _ body: (MaintenanceProgress) throws -> Result
    ) rethrows -> Result {
        let bar = ProgressBar(title)
        defer { bar.remove() }
        return try body(MaintenanceProgress { bar.show($0, of: $1) })
    }

    private func show(_ done: Int, of total: Int?) {
        guard isWatched else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard now >= state.next else { return false }
            state = State(next: now + .milliseconds(100), isShown: true)
            return true
        }
        if isDue { Console.write("\r\u{1B}[K\(title) \(Self.bar(done, of: total))", to: STDERR_FILENO) }
    }

    private func remove() {
        if state.withLock({ $0.isShown }) { Console.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }

    private static func bar(_ done: Int, of total: Int?) -> String {
        guard let total, total > 0 else { return "\(done)" }
        let width = 30
        let filled = min(width, done * width / total)
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))] \(done)/\(total)"
    }
}
