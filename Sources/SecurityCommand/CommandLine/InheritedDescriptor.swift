// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this program was started with, named by a path: `/dev/stdout`, `/dev/stderr` or `/dev/fd/3`.
///
/// It is written to as it is. If its path were opened, writing would start at the beginning of the file, and destroy what
/// `>>` keeps.
enum InheritedDescriptor {
    /// The descriptor, or nil if the path leads elsewhere.
    ///
    /// - Throws: ``CommandFailure`` if this program was not started with such a descriptor. The number may then be that of a
    ///   keychain's file.
    static func named(by path: String) throws -> Int32? {
        guard let number = number(in: path) else { return nil }
        // This program opens everything so that no other inherits it.
        let flags = fcntl(number, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else { throw CommandFailure("\(path) is not open") }
        return number
    }

    private static func number(in path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            return nil
        }
    }
}
