// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A file that holds a passphrase, with or without a line break at its end.
///
/// ``SecretFile`` says who may have access to it.
package struct PassphraseFile: Sendable, Hashable {
    package let path: String
    private let isCredential: Bool

    /// - Parameters:
    ///   - path: Where the file is.
    ///   - isCredential: Whether systemd provides the file.
    package init(path: String, isCredential: Bool = false) {
        self.path = path
        self.isCredential = isCredential
    }

    private var file: SecretFile {
        isCredential
            ? SecretFile(
                path: path, name: "systemd credential",
                remedy: "let the program read it, or unset CREDENTIALS_DIRECTORY if it has no passphrase")
            : SecretFile(path: path, name: "passphrase file")
    }

    /// The content, without a line break at its end.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when the file is missing, is no plain file or lets other users in.
    package func passphrase() throws(StoreError) -> Secret {
        let content = try file.content()
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
        let status = try file.status()
        var transcript = Transcript("secitem/1 passphrase file")
        let numbers = [
            Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
            Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
        for number in numbers { transcript.append(number: number) }
        return transcript.bytes
    }
}
