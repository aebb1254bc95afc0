// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance

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

    /// The number in any spelling of such a path: `/dev/stdout`, `/dev//fd/1`, `/proc/thread-self/fd/1`. A link elsewhere may
    /// be somebody else's, and is not followed.
    private static func number(in path: String) -> Int32? {
        var path = path
        // Linux follows as many.
        for _ in 0..<40 {
            guard let real = try? FolderPath.canonical(path) else { return nil }
            let components = FolderPath.components(of: real)
            if hasDescriptors(components.dropLast()) { return components.last.flatMap { Int32($0) } }
            guard components.first == "dev",
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: real)
            else { return nil }
            path = target.hasPrefix("/") ? target : "/" + (components.dropLast() + [target]).joined(separator: "/")
        }
        return nil
    }

    /// Whether the folder has an entry for each descriptor of this process or of one of its threads.
    private static func hasDescriptors(_ folder: ArraySlice<String>) -> Bool {
        guard folder.first == "proc", folder.last == "fd" else { return false }
        let owner = Array(folder.dropFirst().dropLast())
        // "self" is left only where there is no /proc.
        return [[String(getpid())], ["self"]].contains(owner) || owner.starts(with: [String(getpid()), "task"])
    }
}
