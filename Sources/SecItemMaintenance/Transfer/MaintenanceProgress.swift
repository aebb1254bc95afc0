// SPDX-License-Identifier: Apache-2.0

/// Who is told how far something has come. Called in the thread that does it.
package struct MaintenanceProgress: Sendable {
    /// Takes the number of items that are done, and how many there will be where that is known.
    private let report: @Sendable (_ done: Int, _ total: Int?) -> Void

    package init(_ report: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void) {
        self.report = report
    }

    /// Nobody.
    package static let unwatched = MaintenanceProgress { _, _ in }

    func tell(_ done: Int, of total: Int? = nil) { report(done, total) }
}
