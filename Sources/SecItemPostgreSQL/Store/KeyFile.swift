// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The file that lets a machine open the keychains of a database. It has the device key, or a key of the machine's own
    /// to which the device key is sealed in the database.
    struct KeyFile: Sendable {
        /// Where the file is.
        let path: String

        private var file: SecretFile { SecretFile(path: path, name: "key file") }

        /// What a key file holds.
        enum Content: Sendable {
            /// The device key itself.
            case device(DeviceKey)
            /// A key of this machine's own. The device key is in the database, sealed to it.
            case member(MemberKey)

            /// The bytes of the file.
            var file: Secret {
                switch self {
                case .device(let key): key.file
                case .member(let key): key.file
                }
            }
        }

        /// What is in the file, or nil if there is no file.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the file lets other users in or cannot be read,
        ///   ``StoreError/Code/corrupt`` if it is not a key file.
        func content() throws(StoreError) -> Content? { try content(of: file) }

        private func content(of file: SecretFile) throws(StoreError) -> Content? {
            if access(file.path, F_OK) != 0 && errno == ENOENT { return nil }
            let content = try file.content()
            if MemberKey.isMember(file: content) { return .member(try MemberKey(file: content, path: file.path)) }
            return .device(try DeviceKey(file: content, path: file.path))
        }

        /// Creates the file with that device key.
        ///
        /// - Throws: As ``create(_:)``; ``StoreError/Code/unavailable`` if another program has created one with another key.
        func createNew(_ key: DeviceKey) throws(StoreError) {
            if case .device(let made) = try create(.device(key)), made.id == key.id { return }
            throw StoreError(.unavailable, "another program made the key file \(path) meanwhile: try again")
        }

        /// Creates the file, unless there is one.
        ///
        /// - Returns: What is in the file now.
        /// - Throws: As ``content()``; also an error if the file cannot be created.
        func create(_ new: Content) throws(StoreError) -> Content {
            try makeFolder()
            // Another process may have removed the unfinished file, as if nobody needed it any more.
            var attempts = 1
            while try !createOnce(new), attempts < Self.mostAttempts { attempts += 1 }
            removeUnfinished()
            syncFolder()
            guard let content = try content() else { throw StoreError(.unavailable, "\(path) has vanished") }
            return content
        }

        private static let mostAttempts = 20

        /// - Returns: Whether there is a file now.
        private func createOnce(_ new: Content) throws(StoreError) -> Bool {
            let number = RandomBytes.bytes(Self.unfinishedByteCount).hexadecimal
            let unfinished = "\(path).\(number)\(Self.unfinishedSuffix)"
            try write(new.file, to: unfinished)
            defer { unlink(unfinished) }
            // A link never replaces a file: a key that another process has created meanwhile stays.
            if link(unfinished, path) == 0 || errno == EEXIST { return true }
            guard errno == ENOENT else { throw StoreError(writingFailed: path, errno: errno) }
            return false
        }

        private static let unfinishedByteCount = 8
        private static let unfinishedSuffix = ".new"

        /// Removes what processes have left that were killed while they created the file. Each has a key that opens nothing.
        ///
        /// Called when the file is there. Then one that is being created would not take its place.
        private func removeUnfinished() {
            let start = (path as NSString).lastPathComponent + "."
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                guard name.hasPrefix(start), name.hasSuffix(Self.unfinishedSuffix) else { continue }
                let number = name.dropFirst(start.count).dropLast(Self.unfinishedSuffix.count)
                guard number.utf8.count == 2 * Self.unfinishedByteCount, number.allSatisfy(\.isHexDigit) else {
                    continue
                }
                unlink(folder + "/" + name)
            }
        }

        // MARK: From the device key to a key of the machine's own

        /// The file with the machine's new key, until it takes the place of the one with the device key.
        private var successor: KeyFile { KeyFile(path: path + ".member") }

        /// The key that is to take the place of the device key. An earlier attempt may have made it.
        ///
        /// - Throws: As ``content()``; also an error if the file cannot be created.
        func successorMakingIt() throws(StoreError) -> MemberKey {
            if let key = try unfinishedSuccessor() { return key }
            guard case .member(let key) = try successor.create(.member(MemberKey())) else {
                throw StoreError(.corrupt, "\(path).member is not a member's key file")
            }
            return key
        }

        /// The key that an earlier attempt has made and not put in its place; nil if there is none.
        ///
        /// - Throws: As ``content()``.
        func unfinishedSuccessor() throws(StoreError) -> MemberKey? {
            guard case .member(let key)? = try successor.content() else { return nil }
            return key
        }

        /// The file with that device key, if the device key was in this file before.
        ///
        /// - Parameter id: The number of the device key.
        func former(_ id: [UInt8]) -> KeyFile { KeyFile(path: "\(path).device-\(id.hexadecimal)") }

        /// Whether there is such a file, with that device key.
        func hasFormer(_ id: [UInt8]) -> Bool {
            guard case .device(let key)? = try? former(id).content() else { return false }
            return key.id == id
        }

        /// Puts the successor in the place of the file. There is a complete key file at each moment.
        ///
        /// A device key stays beside it (``former(_:)``): it may open other databases, and dumps from before this machine was
        /// a member.
        ///
        /// - Parameter present: What the file held. With nil, a file that another program has made meanwhile stays.
        /// - Throws: An error if the file cannot be renamed, if the device key cannot be kept, or if there is a file that
        ///   should not be there.
        func adoptSuccessor(replacing present: Content?) throws(StoreError) {
            if case .device(let key)? = present {
                guard case .device(let kept) = try former(key.id).create(.device(key)), kept.id == key.id else {
                    throw StoreError(
                        .unavailable, "\(former(key.id).path) is in the way of the former key file: move it away")
                }
            }
            // A link never replaces a file. Another process may have done it.
            let isPlaced = present == nil ? link(successor.path, path) == 0 : rename(successor.path, path) == 0
            if !isPlaced && errno != ENOENT { throw StoreError(writingFailed: path, errno: errno) }
            syncFolder()
            if isPlaced && present == nil { unlink(successor.path) }
            successor.removeUnfinished()
            removeUnfinished()
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
            let failure = content.write(toEmptyFile: file)
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
