// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The folder of `pass`, the shell's password manager: one file for each password, encrypted by `gpg`.
///
/// A file `mail/example.org/anna.gpg` becomes the password of the service `mail/example.org` and the account `anna`.
/// Its first line is the secret. A file with more lines is refused unless the caller accepts that they are lost.
package struct PasswordStoreFolder: ForeignSource {
    private let folder: String
    private let keepsFirstLine: Bool
    private let gpg: String

    /// - Parameters:
    ///   - folder: Usually `~/.password-store`.
    ///   - keepsFirstLine: Whether to import only the first line of files with more lines.
    ///   - gpg: The program that decrypts. It runs without prompts (`--batch`), so `gpg-agent` must have the key, or
    ///     ask for its passphrase in its own window.
    package init(folder: String, keepsFirstLine: Bool = false, gpg: String = "gpg") {
        self.folder = folder
        self.keepsFirstLine = keepsFirstLine
        self.gpg = gpg
    }

    package func forEach(
        _ take: (ForeignPassword) throws(StoreError) -> Void
    ) throws(StoreError) -> [ImportRefusal] {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            if errno != ENOENT { throw PlainFile.failure("the folder \(folder)") }
            throw StoreError(.unavailable, "there is no folder \(folder)", underlying: FileFailure())
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.unavailable, "\(folder) is not a folder", underlying: FileFailure())
        }
        var refusals: [ImportRefusal] = []
        let files = FolderWalk(folder, ending: ".gpg")
        refusals += files.unread.map { ImportRefusal(name: $0.path, reason: $0.reason) }
        for file in files.paths {
            let name = String(file.dropLast(4))
            let secret: Secret
            do throws(StoreError) {
                let path = folder + "/" + file
                try requirePlainFile(path)
                secret = try firstLine(of: decrypted(path))
            } catch {
                if error.code == .unsupported { throw error }
                refusals.append(ImportRefusal(name: name, reason: error.message))
                continue
            }
            let parts = name.split(separator: "/")
            let account = parts.count > 1 ? String(parts.last ?? "") : ""
            let service = parts.count > 1 ? parts.dropLast().joined(separator: "/") : name
            try take(ForeignPassword(.service(service), account: account, secret: secret))
        }
        return refusals
    }

    /// A link could lead anywhere, and reading a pipe could wait for ever.
    private func requirePlainFile(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw StoreError(.corrupt, "there is no file of that name in UTF-8") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.corrupt, "it is not a regular file") }
    }

    /// The only line.
    private func firstLine(of secret: Secret) throws(StoreError) -> Secret {
        try secret.withUnsafeBytes { (bytes) throws(StoreError) in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            guard line.count + 1 >= bytes.count || keepsFirstLine else {
                throw StoreError(.unrepresentable, "it has more lines than the password")
            }
            return Secret(copying: UnsafeRawBufferPointer(rebasing: line))
        }
    }

    /// No password is longer than 1 MiB. A small file may decompress to gigabytes.
    private static let greatestSize = 1 << 20

    /// What the program writes. If that is too much, nobody reads on, which ends the program.
    private static func read(_ output: FileHandle, from process: Process) throws(StoreError) -> Data {
        do throws(StoreError) {
            var bytes = try PlainFile.read(greatestSize + 1, from: output.fileDescriptor)
            defer { bytes.withUnsafeMutableBytes { $0.wipe() } }
            guard bytes.count <= greatestSize else { throw StoreError(.tooLarge, "it is too long for a password") }
            return Data(bytes)
        } catch {
            try? output.close()
            process.waitUntilExit()
            throw error
        }
    }

    private func decrypted(_ path: String) throws(StoreError) -> Secret {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [gpg, "--quiet", "--batch", "--no-tty", "--decrypt", "--", path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw StoreError(.unsupported, "\(gpg) cannot be started", underlying: error)
        }
        let data = try Self.read(output.fileHandleForReading, from: process)
        process.waitUntilExit()
        let secret = Secret(wiping: consume data)
        switch process.terminationStatus {
        case 0: return secret
        case 127: throw StoreError(.unsupported, "\(gpg) is not installed")
        default: throw StoreError(.corrupt, "\(gpg) cannot decrypt it")
        }
    }
}
