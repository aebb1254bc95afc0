// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A new file that gets its name when it is finished, so that nobody sees an incomplete one.
///
/// If the file system supports it, the file has no name until then. Otherwise, and for a moment before it replaces
/// another file, it has a name that ends in `.unfinished`. No other user can open it at any moment.
package final class UnnamedFile {
    /// Open for reading and writing.
    package let descriptor: Int32
    private let path: String
    private let folder: String
    /// Its temporary name, if it needs one.
    private var temporaryPath: String?

    /// Writes a whole file, and replaces an existing one. It replaces a symbolic link itself, not its target.
    package static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let file = try UnnamedFile(becoming: path)
        try PlainFile.write(bytes, to: file.descriptor)
        try file.finish(replacing: true)
    }

    /// - Parameter path: Its final name.
    package init(becoming path: String) throws(StoreError) {
        self.path = path
        // Foundation's functions on paths end the process for some names of one letter.
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // O_TMPFILE, a macro that Swift does not import.
        let unnamed = OwnDescriptor.aboveStandard(open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600))
        if unnamed >= 0 {
            descriptor = unnamed
            return
        }
        let temporary = "\(path).\(RandomBytes.name()).unfinished"
        descriptor = OwnDescriptor.aboveStandard(
            open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        guard descriptor >= 0 else { throw PlainFile.failure("cannot create a file in \(folder)") }
        temporaryPath = temporary
    }

    deinit {
        close(descriptor)
        if let temporaryPath { unlink(temporaryPath) }
    }

    /// Writes the content to disk, gives the file its name, and writes the name to disk.
    ///
    /// - Parameter replaces: Whether an existing file of that name may be replaced.
    /// - Throws: ``StoreError/Code/duplicate`` if one exists and may not be replaced.
    package func finish(replacing replaces: Bool) throws(StoreError) {
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw PlainFile.failure("\(path) cannot be written")
        }
        if replaces {
            let temporary = try temporaryName()
            guard rename(temporary, path) == 0 else { throw PlainFile.failure("\(path) cannot be replaced") }
            temporaryPath = nil
        } else {
            try link(to: path)
        }
        try bringFolderToDisk()
    }

    private func temporaryName() throws(StoreError) -> String {
        if let temporaryPath { return temporaryPath }
        let temporary = "\(path).\(RandomBytes.name()).unfinished"
        try link(to: temporary)
        temporaryPath = temporary
        return temporary
    }

    private func link(to path: String) throws(StoreError) {
        let source = temporaryPath ?? "/proc/self/fd/\(descriptor)"
        if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return }
        if errno == EEXIST { throw StoreError(.duplicate, "\(path) already exists", underlying: FileFailure()) }
        guard let temporaryPath, [EPERM, EOPNOTSUPP, EMLINK].contains(errno) else {
            throw PlainFile.failure("\(path) cannot be created")
        }
        // A file system without links.
        if access(path, F_OK) == 0 { throw StoreError(.duplicate, "\(path) already exists", underlying: FileFailure()) }
        guard rename(temporaryPath, path) == 0 else { throw PlainFile.failure("\(path) cannot be created") }
        self.temporaryPath = nil
    }

    private func bringFolderToDisk() throws(StoreError) {
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw PlainFile.failure("\(folder) cannot be opened") }
        defer { close(directory) }
        guard fsync(directory) == 0 || [EINVAL, EOPNOTSUPP].contains(errno) else {
            throw PlainFile.failure("\(folder) cannot be written")
        }
    }
}
