// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The process that holds a lock (`flock`) on an open file, as the kernel lists it. Only for messages: when somebody
/// reads it, the lock may be free.
struct LockHolder: Equatable {
    let process: pid_t
    /// Whether it was stopped by a signal, or by a debugger, and so holds the lock until somebody continues or ends it.
    let isStopped: Bool

    /// The holder; nil if the kernel does not tell, as in a container that does not see the process.
    init?(ofLockOn file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0,
            let process = Self.process(
                in: MountTable.content("/proc/locks"), device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        else { return nil }
        self.process = process
        isStopped = Self.isStopped(MountTable.content("/proc/\(process)/stat"))
    }

    /// What the holder is, after the words "process 1".
    var text: String {
        isStopped
            ? "process \(process), which holds the lock, is stopped: continue it (kill -CONT \(process)), or end it"
            : "process \(process) holds the lock"
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

    /// Whether a process is stopped, according to a line as in `/proc/PID/stat`: the state follows the name, which may
    /// contain anything.
    static func isStopped(_ line: String) -> Bool {
        guard let end = line.lastIndex(of: ")") else { return false }
        return ["T", "t"].contains(line[line.index(after: end)...].split(separator: " ").first)
    }
}
