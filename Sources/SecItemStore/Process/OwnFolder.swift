// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Folders of this user alone.
package enum OwnFolder {
    /// Makes a folder and the missing ones above it, on disk too. Those that exist stay as they are.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - sync: Writes the names in a folder to disk, in which another one was made.
    package static func make(
        _ path: String, sync: (_ folder: String) throws(StoreError) -> Void = Self.sync
    ) throws(StoreError) {
        guard path.hasPrefix("/") else { throw StoreError(.unavailable, "\(path) is not an absolute path") }
        var prefix = ""
        for component in path.split(separator: "/") {
            let parent = prefix.isEmpty ? "/" : prefix
            prefix += "/" + component
            if mkdir(prefix, 0o700) == 0 {
                // Whatever the program's umask takes away from this user too.
                fchmodat(AT_FDCWD, prefix, 0o700, AT_SYMLINK_NOFOLLOW)
                try sync(parent)
                continue
            }
            let reason = errno
            if reason == EEXIST { continue }
            // A folder above may exist although we may not create anything in it (EROFS, EACCES). Continue with the
            // next one.
            var status = Foundation.stat()
            if stat(prefix, &status) == 0 { continue }
            throw StoreError(writingFailed: prefix, errno: reason)
        }
    }

    /// Writes the names in a folder to disk, if that is possible.
    package static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Whether it is a folder of this user that nobody else can use.
    package static func isPrivate(_ path: String) -> Bool {
        var status = Foundation.stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }
}
