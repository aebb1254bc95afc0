// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// A file that holds a passphrase, with or without a line break at its end.
///
/// Links are followed, for Kubernetes mounts secrets as links. What the file is, is asked of the open descriptor.
package struct PassphraseFile: Sendable, Hashable {
    /// Where the file is.
    package let path: String

    /// The content, without a line break at its end.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when the file is missing, is no plain file or lets other users in.
    package func passphrase() throws(StoreError) -> Secret {
        let (file, _) = try open()
        defer { close(file) }
        let content = try Secret(readingSmallFile: file, path: path)
        return content.withUnsafeBytes { bytes in
            var line = bytes[...]
            if line.last == UInt8(ascii: "\n") { line.removeLast() }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            return Secret(copying: UnsafeRawBufferPointer(rebasing: line))
        }
    }

    /// What tells whether the file is still the one it was: its number, its size, and when it was last changed. Nothing
    /// about its content.
    ///
    /// - Throws: As ``passphrase()``.
    package func identity() throws(StoreError) -> [UInt8] {
        let (file, status) = try open()
        close(file)
        var transcript = Transcript("secitem/1 passphrase file")
        let numbers = [
            Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
            Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
        for number in numbers { transcript.append(number: number) }
        return transcript.bytes
    }

    private func open() throws(StoreError) -> (file: Int32, status: stat) {
        // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw StoreError(.unavailable, "the passphrase file \(path): \(StoreError.text(ofErrno: errno))")
        }
        do throws(StoreError) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw StoreError(openingFailed: path, errno: errno) }
            if let reason = Self.refusal(status, user: geteuid(), isInMemory: MountTable.isInMemory(status)) {
                throw StoreError(.unavailable, "the passphrase file \(path) is refused: \(reason)")
            }
            return (file, status)
        } catch {
            close(file)
            throw error
        }
    }

    // MARK: Who may have it

    /// Why a file with that status is not read, or nil if it is.
    ///
    /// A user's own file must be the user's alone, as the device key is. A file that root has put there for somebody else
    /// is root's to share: with a group, and with everybody where the file is in memory, because that is how the
    /// orchestrators of containers hand out secrets (root's, of mode 0444 or 0440, in a tmpfs that only the container
    /// has).
    package static func refusal(_ status: stat, user: uid_t, isInMemory: @autoclosure () -> Bool) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a plain file" }
        guard status.st_uid == user || status.st_uid == 0 else { return "it belongs to user \(status.st_uid)" }
        let rights = status.st_mode & 0o077
        // Asked only where it decides.
        let isInMemory = rights != 0 && status.st_uid == 0 && isInMemory()
        let allowed: mode_t = isInMemory ? 0o044 : status.st_uid == 0 && user != 0 ? 0o040 : 0
        guard rights & ~allowed == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            return "its mode \(mode) lets other users in; take their rights away (chmod go= …)"
        }
        return nil
    }
}
