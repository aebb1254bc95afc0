// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemStore

/// A file with secrets, which are for this user alone.
enum SecretOutput {
    /// Writes the bytes.
    ///
    /// A file is replaced as a whole: what another program has open, and the mode that it had, are the old one's. A pipe must
    /// be this user's, because its owner can read what is written. A symbolic link could lead anywhere. Anything else, such as
    /// a disk or a socket, stays what it is.
    ///
    /// - Parameter path: A file, a pipe, a character device, or what the caller has opened (`/dev/stdout`, `/dev/fd/3`).
    /// - Throws: ``CommandFailure`` when it is none of them, or cannot be written.
    static func write(_ bytes: [UInt8], to path: String) throws {
        // Whoever started this program chose it.
        if let descriptor = try InheritedDescriptor.named(by: path) { return try write(bytes, to: descriptor) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return try reporting(path) { try UnnamedFile.write(bytes, to: path) }
        }
        try requireStream(status, path)
        try write(bytes, toStream: path)
    }

    /// - Throws: ``CommandFailure`` unless it is a character device, or a pipe of this user's.
    private static func requireStream(_ status: stat, _ path: String) throws {
        switch status.st_mode & S_IFMT {
        case S_IFCHR: return
        case S_IFIFO where status.st_uid == geteuid(): return
        case S_IFIFO: throw CommandFailure("\(path) is a pipe of user \(status.st_uid), who could read it")
        case S_IFLNK: throw CommandFailure("\(path) is a symbolic link: name the file that it leads to")
        default: throw CommandFailure("\(path) is not a file, a pipe or a character device")
        }
    }

    private static func write(_ bytes: [UInt8], toStream path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard file >= 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        // It may be another one by now.
        var status = stat()
        guard fstat(file, &status) == 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
        try requireStream(status, path)
        try write(bytes, to: file)
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws {
        Console.write(bytes, to: file)
        try Console.requireWritten()
    }
}
