// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which folder it is, and when it was changed last: as long as that stays, so do the files that its names stand for.
struct FolderState: Equatable {
    private let identity: FileIdentity
    private let seconds: Int
    private let nanoseconds: Int

    /// The folder of that path, or nil when there is none, or it was changed so lately that another change might leave the
    /// same time behind: file systems count in steps, of two seconds at worst.
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
