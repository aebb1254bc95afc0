// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// A file of keys and certificates.
struct KeyFile {
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
        let first = read(data, format, type, passphrase.map { NSString(string: $0) })
        let needsPassphrase = [errSecPassphraseRequired, errSecAuthFailed, errSecPkcs12VerifyFailure].contains(
            first.status)
        guard needsPassphrase, passphrase == nil, isPrompting else { return try checked(first) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let answer = try PasswordPrompt.ask("password for \"\(name)\": ")
        return try checked(read(data, format, type, Self.passphrase(answer)))
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
    ) -> (status: OSStatus, objects: [AnyObject]) {
        var parameters = SecItemImportExportKeyParameters()
        if let passphrase { parameters.passphrase = .passUnretained(passphrase) }
        var format = format, type = type
        var items: CFArray?
        let status = withExtendedLifetime(passphrase) {
            SecItemImport(data as CFData, path as CFString, &format, &type, [], &parameters, nil, &items)
        }
        return (status, (items ?? NSArray()).map { $0 as AnyObject })
    }

    private func checked(_ result: (status: OSStatus, objects: [AnyObject])) throws -> [AnyObject] {
        guard result.status == errSecSuccess else {
            throw CommandFailure("SecKeychainItemImport: \(StatusMessage.text(result.status))")
        }
        return result.objects
    }
}
