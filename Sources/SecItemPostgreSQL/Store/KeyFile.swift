// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The file that lets a machine open the keychains of a database. It has the device key, or a key of the machine's own
    /// to which the device key is sealed in the database. This machine's chip can seal the file (``ChipSealedFile``).
    struct KeyFile: Sendable {
        let path: String
        /// This machine's chip.
        let seal: ChipSeal
        /// Whether a file that the chip has not sealed is refused, and a new one is sealed.
        let mustBeSealed: Bool

        /// - Parameters:
        ///   - path: Where the file is.
        ///   - seal: This machine's chip.
        ///   - mustBeSealed: Whether a file that the chip has not sealed is refused, and a new one is sealed.
        init(path: String, seal: ChipSeal = .withoutChip, mustBeSealed: Bool = false) {
            self.path = path
            self.seal = seal
            self.mustBeSealed = mustBeSealed
        }

        enum Content: Sendable {
            /// The device key itself.
            case device(DeviceKey)
            /// A key of this machine's own. The device key is in the database, sealed to it.
            case member(MemberKey)

            var file: Secret {
                switch self {
                case .device(let key): key.file
                case .member(let key): key.file
                }
            }
        }

        struct Present: Sendable {
            let content: Content
            /// Whether the chip has sealed it.
            let isSealed: Bool
        }

        /// What is in the file, or nil if there is no file.
        ///
        /// - Throws: As ``present()``.
        func content() throws(StoreError) -> Content? { try present()?.content }

        /// What is in the file and whether it is sealed, or nil if there is no file.
        ///
        /// - Throws: As ``anyPresent()``; ``StoreError/Code/unavailable`` if the file has to be sealed and is not.
        func present() throws(StoreError) -> Present? {
            guard let present = try anyPresent() else { return nil }
            if mustBeSealed && !present.isSealed { throw lack }
            return present
        }

        /// The same, also for a file that is not sealed and has to be.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the file lets other users in or cannot be read, or if the chip that has
        ///   sealed it cannot be used or is another one; ``StoreError/Code/corrupt`` if it is not a key file.
        func anyPresent() throws(StoreError) -> Present? {
            guard let bytes = try bytes() else { return nil }
            guard ChipSealedFile.isSealed(bytes) else {
                return Present(content: try content(of: bytes), isSealed: false)
            }
            return Present(content: try content(of: opened(bytes)), isSealed: true)
        }

        /// What those bytes mean, which no chip has sealed.
        func content(of bytes: Secret) throws(StoreError) -> Content {
            if MemberKey.isMember(file: bytes) { return .member(try MemberKey(file: bytes, path: path)) }
            return .device(try DeviceKey(file: bytes, path: path))
        }

        /// The file as it is, or nil if there is none.
        func bytes() throws(StoreError) -> Secret? {
            isThere ? try SecretFile(path: path, name: "key file").content() : nil
        }

        /// Whether there is a file, or it cannot be told.
        var isThere: Bool { access(path, F_OK) == 0 || errno != ENOENT }

        // MARK: A new file

        /// The bytes of a new file. The chip is used now, and not when the file is created.
        ///
        /// - Parameter sealed: Whether the chip seals it.
        /// - Throws: The errors of the chip.
        func bytes(of content: Content, sealed: Bool) throws(StoreError) -> Secret {
            sealed ? try self.sealed(content.file) : content.file
        }

        /// Creates the file with that device key.
        ///
        /// - Throws: The errors of the chip; an error if the file cannot be created; ``StoreError/Code/unavailable`` if another
        ///   program has created one.
        func createNew(_ key: DeviceKey) throws(StoreError) {
            try createNew(bytes(of: .device(key), sealed: mustBeSealed))
        }

        /// Creates the file with those bytes.
        ///
        /// - Throws: An error if the file cannot be created; ``StoreError/Code/unavailable`` if another program has created one.
        func createNew(_ new: Secret) throws(StoreError) {
            try place(new)
            guard let present = try bytes(), present.hasSameBytes(as: new) else {
                throw StoreError(.unavailable, "another program made the key file \(path) meanwhile: try again")
            }
        }

        /// Creates the file, unless there is one.
        ///
        /// - Parameter sealed: Whether the chip seals it.
        /// - Returns: What is in the file now, which may be another one that is not sealed.
        /// - Throws: As ``anyPresent()``; also an error if the file cannot be created.
        func create(_ new: Content, sealed: Bool = false) throws(StoreError) -> Content {
            if let present = try anyPresent() {
                removeUnfinished()
                return present.content
            }
            try place(bytes(of: new, sealed: sealed))
            guard let present = try anyPresent() else { throw StoreError(.unavailable, "\(path) has vanished") }
            return present.content
        }

        /// Creates the file with those bytes, unless there is one.
        private func place(_ new: Secret) throws(StoreError) {
            try OwnFolder.make(folder)
            // Another process may have removed the unfinished file, as if nobody needed it any more.
            var attempts = 1
            while try !createOnce(new), attempts < Self.mostAttempts { attempts += 1 }
            removeUnfinished()
            OwnFolder.sync(folder)
        }

        static let mostAttempts = 20

        /// - Returns: Whether there is a file now.
        private func createOnce(_ new: Secret) throws(StoreError) -> Bool {
            let unfinished = newUnfinishedPath()
            try write(new, to: unfinished)
            defer { unlink(unfinished) }
            // A link never replaces a file: a key that another process has created meanwhile stays.
            if link(unfinished, path) == 0 || errno == EEXIST { return true }
            guard errno == ENOENT else { throw StoreError(writingFailed: path, errno: errno) }
            return false
        }

        /// A name for a file that is to be put in the place of this one.
        func newUnfinishedPath() -> String {
            "\(path).\(RandomBytes.bytes(Self.unfinishedByteCount).hexadecimal)\(Self.unfinishedSuffix)"
        }

        private static let unfinishedByteCount = 8
        private static let unfinishedSuffix = ".new"

        /// Removes what processes have left that were killed while they created the file. Each has a key that opens nothing.
        ///
        /// Called when the file is there. Then one that is being created would not take its place.
        func removeUnfinished() {
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

        /// The file with the machine's new key for the fleet with that device key, until it takes the place of this one.
        ///
        /// Each fleet has a file of its own. What an interrupted attempt has left may be known to the members of that fleet, and
        /// together with the server of another one, they could make this machine accept a device key of theirs there.
        private func successor(_ id: [UInt8]) -> Successor {
            Successor(file: KeyFile(path: path + Self.successorSuffix + id.hexadecimal, seal: seal))
        }

        private static let successorSuffix = ".member-"

        /// A file with a key that is to take the place of the one in the key file.
        struct Successor {
            let file: KeyFile

            /// The key.
            ///
            /// - Throws: As ``KeyFile/content()``; ``StoreError/Code/corrupt`` if there is none.
            var key: MemberKey {
                get throws(StoreError) {
                    guard case .member(let key)? = try file.content() else {
                        throw StoreError(.corrupt, "\(file.path) is not a member's key file")
                    }
                    return key
                }
            }
        }

        /// The key that is to take the place of the device key in that fleet. An earlier attempt may have made it.
        ///
        /// - Parameters:
        ///   - id: The number of the fleet's device key.
        ///   - sealed: Whether the chip seals a new one.
        /// - Throws: As ``content()``; also an error if the file cannot be created.
        func successorMakingIt(_ id: [UInt8], sealed: Bool) throws(StoreError) -> Successor {
            let successor = successor(id)
            if try successor.file.content() == nil {
                _ = try successor.file.create(.member(MemberKey()), sealed: sealed)
            }
            return successor
        }

        /// What earlier attempts have left, in whichever fleet.
        var unfinishedSuccessors: [Successor] {
            let start = (path as NSString).lastPathComponent + Self.successorSuffix
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { name in
                let number = name.dropFirst(start.count)
                return name.hasPrefix(start) && number.utf8.count == 2 * DeviceKey.idByteCount
                    && number.allSatisfy(\.isHexDigit)
            }.sorted().map { Successor(file: KeyFile(path: folder + "/" + $0, seal: seal)) }
        }

        /// Removes what an earlier attempt has left that ended when the key was in its place.
        func removeSuccessors(_ member: MemberKey) {
            for successor in unfinishedSuccessors where (try? successor.key.id) == member.id {
                unlink(successor.file.path)
            }
        }

        /// The file with that device key, if the device key was in this file before.
        ///
        /// - Parameter id: The number of the device key.
        func former(_ id: [UInt8]) -> KeyFile {
            KeyFile(path: path + Self.formerInfix + id.hexadecimal, seal: seal)
        }

        static let formerInfix = ".device-"

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
        /// - Parameters:
        ///   - successor: The file with the new key.
        ///   - present: What the file held. With nil, a file that another program has made meanwhile stays.
        ///   - sealed: Whether the chip seals both, also a successor that an earlier attempt has made without it.
        /// - Throws: An error if the file cannot be renamed, if the device key cannot be kept, or if there is a file that
        ///   should not be there.
        func adopt(_ successor: Successor, replacing present: Content?, sealed: Bool) throws(StoreError) {
            let new = successor.file
            if case .device(let key)? = present {
                let former = former(key.id)
                guard case .device(let kept) = try former.create(.device(key), sealed: sealed), kept.id == key.id else {
                    throw StoreError(
                        .unavailable, "\(former.path) is in the way of the former key file: move it away")
                }
                if sealed { try former.sealNow() }
            }
            if sealed { try new.sealNow() }
            // A link never replaces a file. Another process may have done it.
            try withFolderLock(isNeeded: false) { () throws(StoreError) in
                if !sealed && isSealed {
                    throw StoreError(.unavailable, "the TPM has sealed the key file \(path) meanwhile: try again")
                }
                let isPlaced = present == nil ? link(new.path, path) == 0 : rename(new.path, path) == 0
                if !isPlaced && errno != ENOENT { throw StoreError(writingFailed: path, errno: errno) }
                OwnFolder.sync(folder)
                if isPlaced && present == nil { unlink(new.path) }
            }
            new.removeUnfinished()
            removeUnfinished()
        }

        var folder: String { (path as NSString).deletingLastPathComponent }

        func write(_ content: Secret, to path: String) throws(StoreError) {
            let file = OwnDescriptor.aboveStandard(
                open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
            guard file >= 0 else { throw StoreError(writingFailed: path, errno: errno) }
            let failure = content.write(toEmptyFile: file)
            close(file)
            if let failure {
                unlink(path)
                throw StoreError(writingFailed: path, errno: failure)
            }
        }
    }
#endif
