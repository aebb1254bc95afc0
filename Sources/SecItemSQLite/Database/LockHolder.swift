// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The process that holds a lock (`flock`) on an open file, as the kernel lists it. Only for messages: when somebody
/// reads it, the lock may be free.
enum LockHolder {
    /// The error after a vain wait for the lock. It names the holder, unless the kernel hides it, as from a container that
    /// does not see the process.
    static func failure(_ reason: String, _ file: Int32) -> StoreError {
        var status = stat()
        guard fstat(file, &status) == 0,
            let process = process(
                in: MountTable.content("/proc/locks"), device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        else { return StoreError(.unavailable, reason) }
        return StoreError(
            .unavailable,
            "\(reason): process \(process) holds the lock. If it is stopped, continue it (kill -CONT \(process)), or end it"
        )
    }

    /// The holder of the lock on that file, according to a list as in `/proc/locks`.
    static func process(in list: String, device: UInt64, number: UInt64) -> pid_t? {
        let (major, minor) = MountTable.numbers(ofDevice: device)
        let numbers = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } + ["\(number)"]
        let file = numbers.joined(separator: ":")
        for line in list.split(separator: "\n") {
            // proc(5): number, kind, "ADVISORY", access, process, file, start, end. A line with "->" is that of a
            // process that waits.
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5] == file,
                let process = pid_t(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}
