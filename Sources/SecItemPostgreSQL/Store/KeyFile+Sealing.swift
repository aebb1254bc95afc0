// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The seal of this machine's chip on a key file.
    extension KeyFile {
        /// Why a file without the seal is not used, and what to do.
        var lack: StoreError {
            StoreError(
                .unavailable,
                "a TPM is configured, but has not sealed the key file \(path): let it do so (security fleet seal, or "
                    + "LinuxKeychain.sealKeyFile)")
        }

        /// Whether the file is meant to be a sealed one. Does not use the chip.
        var isSealed: Bool {
            guard let bytes = try? bytes() else { return false }
            return ChipSealedFile.isSealed(bytes)
        }

        /// The content of a sealed file.
        ///
        /// - Throws: As ``anyPresent()``.
        func opened(_ bytes: Secret) throws(StoreError) -> Secret {
            do throws(StoreError) {
                return try ChipSealedFile.content(of: bytes, path: path, with: seal)
            } catch {
                if error.code == .corrupt { throw error }
                throw StoreError(
                    error.code,
                    "a TPM has sealed the key file \(path), and cannot open it now: \(error.message). If it is another TPM, restore "
                        + "the file from a copy, or move it away and let this machine join with an invitation (security fleet "
                        + "join)", underlying: error)
            }
        }

        func sealed(_ content: Secret) throws(StoreError) -> Secret {
            do throws(StoreError) {
                return try ChipSealedFile.sealing(content, with: seal)
            } catch {
                throw StoreError(
                    error.code, "a TPM is to seal the key file \(path), and cannot: \(error.message)", underlying: error
                )
            }
        }

        /// Has the chip seal the file, if it is there and not sealed yet. There is a complete key file at each moment.
        ///
        /// - Returns: Whether it was not sealed before.
        /// - Throws: As ``anyPresent()``; ``StoreError/Code/unavailable`` if the file is a link, whose target would stay as it
        ///   is; an error if the file cannot be replaced. Then nothing has changed.
        @discardableResult
        func sealNow() throws(StoreError) -> Bool {
            for _ in 1...Self.mostAttempts {
                guard let plain = try bytes(), !ChipSealedFile.isSealed(plain) else { return false }
                _ = try content(of: plain)
                try requireNoLink()
                let sealed = try self.sealed(plain)
                if try replace(plain, by: sealed) {
                    removeUnfinished()
                    return true
                }
            }
            throw StoreError(.unavailable, "the key file \(path) changes all the time: try again")
        }

        private func requireNoLink() throws(StoreError) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
            throw StoreError(
                .unavailable,
                "\(path) is a symbolic link, and the file that it leads to would stay without a seal: name that file, or put "
                    + "a file in the place of the link")
        }

        /// - Returns: Whether the file was the old one until now. Another process may have put the machine's own key into its
        ///   place, which must not be lost.
        private func replace(_ old: Secret, by new: Secret) throws(StoreError) -> Bool {
            let unfinished = newUnfinishedPath()
            try write(new, to: unfinished)
            defer { unlink(unfinished) }
            return try withFolderLock(isNeeded: true) { () throws(StoreError) in
                guard let present = try bytes(), present.hasSameBytes(as: old) else { return false }
                if rename(unfinished, path) != 0 {
                    // Another process may have removed it, as if nobody needed it any more.
                    if errno == ENOENT { return false }
                    throw StoreError(writingFailed: path, errno: errno)
                }
                OwnFolder.sync(folder)
                return true
            }
        }

        /// Runs `body` while no other process exchanges a key file in this folder.
        ///
        /// - Parameter isNeeded: Whether `body` must not run in a folder that cannot be locked.
        func withFolderLock<Result>(
            isNeeded: Bool, _ body: () throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            let patience = ContinuousClock.now + .seconds(Self.longestWait)
            while descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard descriptor >= 0, errno == EWOULDBLOCK || errno == EINTR else {
                    if isNeeded { throw StoreError(openingFailed: folder, errno: errno) }
                    return try body()
                }
                guard ContinuousClock.now < patience else {
                    throw StoreError(.unavailable, "another process has kept \(folder) locked for too long")
                }
                usleep(2_000)
            }
            // A child may have a copy of the descriptor, so closing it would not be enough.
            defer { flock(descriptor, LOCK_UN) }
            return try body()
        }

        private static var longestWait: Int { 20 }

        /// The files beside this one that have former device keys.
        var allFormer: [KeyFile] {
            let start = (path as NSString).lastPathComponent + Self.formerInfix
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().compactMap { name in
                guard name.hasPrefix(start) else { return nil }
                let number = name.dropFirst(start.count)
                guard number.utf8.count == 2 * DeviceKey.idByteCount, number.allSatisfy(\.isHexDigit) else {
                    return nil
                }
                return KeyFile(path: folder + "/" + name, seal: seal)
            }
        }
    }
#endif
