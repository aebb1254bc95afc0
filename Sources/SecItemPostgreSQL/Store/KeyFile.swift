// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The file with the device key of a keychain. Every machine that uses the keychain has a copy.
    struct KeyFile: Sendable {
        /// Where the file is.
        let path: String

        private var file: SecretFile { SecretFile(path: path, name: "key file") }

        /// The key in the file, or nil if there is no file.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the file lets other users in or cannot be read,
        ///   ``StoreError/Code/corrupt`` if it is not a key file.
        func key() throws(StoreError) -> DeviceKey? {
            if access(path, F_OK) != 0 && errno == ENOENT { return nil }
            return try DeviceKey(file: file.content(), path: path)
        }

        /// The key in the file, which is created if there is none.
        ///
        /// - Throws: As ``key()``; also an error if the file cannot be created.
        func keyMakingIt() throws(StoreError) -> DeviceKey {
            if let key = try key() { return key }
            let new = try DeviceKey()
            let unfinished = path + "." + RandomBytes.bytes(8).hexadecimal + ".new"
            try makeFolder()
            try write(new.file, to: unfinished)
            defer { unlink(unfinished) }
            // A link never replaces a file: a key that another process has created meanwhile stays.
            if link(unfinished, path) != 0 && errno != EEXIST {
                throw StoreError(writingFailed: path, errno: errno)
            }
            syncFolder()
            guard let key = try key() else { throw StoreError(.unavailable, "\(path) has vanished") }
            return key
        }

        private var folder: String { (path as NSString).deletingLastPathComponent }

        private func makeFolder() throws(StoreError) {
            guard path.hasPrefix("/") else { throw StoreError(.unavailable, "\(path) is not an absolute path") }
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StoreError(.unavailable, "the folder \(folder) cannot be created", underlying: error)
            }
        }

        private func write(_ content: Secret, to path: String) throws(StoreError) {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw StoreError(writingFailed: path, errno: errno) }
            let failure = content.withUnsafeBytes { bytes -> Int32? in
                errno = 0
                // A full disk cuts the write short; only a second one would say so.
                if Foundation.write(file, bytes.baseAddress, bytes.count) != bytes.count {
                    return errno == 0 ? ENOSPC : errno
                }
                return fsync(file) == 0 ? nil : errno
            }
            close(file)
            if let failure {
                unlink(path)
                throw StoreError(writingFailed: path, errno: failure)
            }
        }

        private func syncFolder() {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            fsync(descriptor)
            close(descriptor)
        }
    }
#endif
