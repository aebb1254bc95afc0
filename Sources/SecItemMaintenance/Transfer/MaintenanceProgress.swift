// SPDX-License-Identifier: Apache-2.0

/// Receives the progress of an operation, on the operation's thread.
package struct MaintenanceProgress: Sendable {
    /// Receives the number of finished items, and the total if it is known.
    private let report: @Sendable (_ done: Int, _ total: Int?) -> Void

    package init(_ report: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void) {
        self.report = report
    }

    /// Progress that nobody receives.
    package static let unwatched = MaintenanceProgress { _, _ in }

    func tell(_ done: Int, of total: Int? = nil) { report(done, total) }
}
