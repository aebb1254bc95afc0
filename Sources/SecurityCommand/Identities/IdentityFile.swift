// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// A file of keys and certificates.
struct IdentityFile {
    private let path: String

    /// More is no file of keys.
    private static let greatestSize = 8 << 20

    init(_ path: String) {
        self.path = path
    }

    /// The file's bytes.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, or is larger than such a file is.
    func bytes() throws -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw Self.failure(path) }
        defer { close(file) }
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        defer { chunk.withUnsafeMutableBytes { $0.wipe() } }
        while data.count <= Self.greatestSize {
            let count = Foundation.read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(path) }
            if count == 0 { break }
            data += chunk[..<count]
        }
        guard !data.isEmpty else { throw CommandFailure("\(path) is empty") }
        guard data.count <= Self.greatestSize else { throw CommandFailure("\(path) is too large to be a key file") }
        return data
    }

    private static func failure(_ path: String) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure("\(path) cannot be read: \(reason)")
    }

    /// What is in the file: `SecCertificate`, `SecKey` and `SecIdentity`.
    ///
    /// - Parameters:
    ///   - passphrase: That of the file, where one is given.
    ///   - isPrompting: Whether it is asked for where the file needs one, and none is given.
    func objects(
        as format: SecExternalFormat = .formatUnknown, _ type: SecExternalItemType = .itemTypeUnknown,
        passphrase: String?, isPrompting: Bool
    ) throws -> [AnyObject] {
        let data = try bytes()
        do throws(KeychainError) {
            return try read(data, format, type, passphrase.map { NSString(string: $0) })
        } catch  where passphrase == nil && isPrompting && Self.isOfPassphrase(error) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let answer = try Self.passphrase(PasswordPrompt.ask("password for \"\(name)\": "))
            do throws(KeychainError) { return try read(data, format, type, answer) } catch { throw Self.failure(error) }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func isOfPassphrase(_ error: KeychainError) -> Bool {
        [errSecPassphraseRequired, errSecAuthFailed, errSecPkcs12VerifyFailure].contains(error.status)
    }

    /// A wrong passphrase and a missing one are said as on a Mac; everything else, with the reason.
    private static func failure(_ error: KeychainError) -> CommandFailure {
        let reason = isOfPassphrase(error) ? "" : " (\(error.message))"
        return CommandFailure("SecKeychainItemImport: \(StatusMessage.text(error.status))\(reason)")
    }

    /// The passphrase of a file, as it was typed.
    ///
    /// - Throws: ``CommandFailure`` when it is no text: what replaces its bytes would be another passphrase.
    static func passphrase(_ answer: Secret) throws -> NSString {
        guard let text = String(validating: answer.data(), as: UTF8.self) else {
            throw CommandFailure("the passphrase is not UTF-8 text")
        }
        return NSString(string: text)
    }

    private func read(
        _ data: Data, _ format: SecExternalFormat, _ type: SecExternalItemType, _ passphrase: NSString?
    ) throws(KeychainError) -> [AnyObject] {
        var parameters = SecItemImportExportKeyParameters()
        if let passphrase { parameters.passphrase = .passUnretained(passphrase) }
        defer { withExtendedLifetime(passphrase) {} }
        return try importedObjects(data as CFData, as: format, type, &parameters)
    }
}
