// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A small file with a secret, that an administrator or an orchestrator of containers provides.
///
/// Links are followed, because Kubernetes mounts secrets as links. The checks are on the open descriptor.
package struct SecretFile: Sendable {
    package let path: String
    /// What error messages call it.
    private let name: String
    /// What to do if it cannot be opened.
    private let remedy: String?

    package init(path: String, name: String, remedy: String? = nil) {
        self.path = path
        self.name = name
        self.remedy = remedy
    }

    /// The content.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the file is missing, is no plain file or lets other users in;
    ///   ``StoreError/Code/corrupt`` if it is longer than 4096 bytes.
    package func content() throws(StoreError) -> Secret {
        let (file, _) = try open()
        defer { close(file) }
        return try Secret(readingSmallFile: file, path: path)
    }

    /// The status of the file.
    ///
    /// - Throws: As ``content()``.
    func status() throws(StoreError) -> stat {
        let (file, status) = try open()
        close(file)
        return status
    }

    private func open() throws(StoreError) -> (file: Int32, status: stat) {
        // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            let reason = StoreError.text(ofErrno: errno), remedy = remedy.map { ". To solve this, " + $0 } ?? ""
            throw StoreError(.unavailable, "the \(name) \(path): \(reason)\(remedy)")
        }
        do throws(StoreError) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw StoreError(openingFailed: path, errno: errno) }
            if let reason = Self.refusal(status, user: geteuid(), isInMemory: MountTable.isInMemory(status)) {
                throw StoreError(.unavailable, "the \(name) \(path) is refused: \(reason)")
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
