// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Identifies a folder and its last change. While it stays the same, so do the files behind the folder's names.
struct FolderState: Equatable {
    private let identity: FileIdentity
    private let seconds: Int
    private let nanoseconds: Int

    /// The state of the folder at that path. Nil if there is none, or if it changed so recently that another change
    /// could have the same time: file systems round times, to two seconds at worst.
    init?(of path: String) {
        var status = stat(), now = timespec()
        guard lstat(path, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        let age = now.tv_sec.subtractingReportingOverflow(status.st_ctim.tv_sec)
        guard !age.overflow, age.partialValue > 3 else { return nil }
        identity = FileIdentity(status)
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
    }
}
