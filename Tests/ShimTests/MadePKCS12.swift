// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A PKCS #12 file with any content, not encrypted, made for a test. Its authentication code is right, with SHA-1 and
/// one round.
struct MadePKCS12 {
    /// Nil means no passphrase, which differs from an empty one.
    var passphrase: String? = "secret"
    /// The contents of the file's safes: sequences of bags.
    var safes: [[UInt8]]
    /// Whether values have indefinite lengths, as in files from Mozilla's programs.
    var isIndefinite = false
    /// Makes a replacement for the file's authentication code from the content.
    var authentication: (([UInt8]) -> [UInt8])?

    /// A file with one safe of these bags.
    init(_ bags: [[UInt8]], passphrase: String? = "secret") {
        safes = [Self.der(0x30, bags.flatMap { $0 })]
        self.passphrase = passphrase
    }

    static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count > 0xffff else { return MadeCertificate.der(tag, content) }
        let size = content.count
        return [tag, 0x83, UInt8(size >> 16 & 0xff), UInt8(size >> 8 & 0xff), UInt8(size & 0xff)] + content
    }

    private static let pkcs: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1]
    private static let plainData = der(0x06, pkcs + [7, 1])

    // MARK: Bags

    /// - Parameter kind: 1 for a key, 2 for an encrypted key, 3 for a certificate, 6 for nested bags.
    static func bag(_ kind: UInt8, _ value: [UInt8], name: String? = nil, identifier: [UInt8]? = nil) -> [UInt8] {
        var attributes: [UInt8] = []
        if let name {
            let text = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            attributes += der(0x30, der(0x06, pkcs + [9, 20]) + der(0x31, der(0x1e, text)))
        }
        if let identifier {
            attributes += der(0x30, der(0x06, pkcs + [9, 21]) + der(0x31, der(0x04, identifier)))
        }
        let set = attributes.isEmpty ? [] : der(0x31, attributes)
        return der(0x30, der(0x06, pkcs + [12, 10, 1, kind]) + der(0xa0, value) + set)
    }

    static func certificate(_ data: Data, name: String? = nil, identifier: [UInt8]? = nil) -> [UInt8] {
        let value = der(0x30, der(0x06, pkcs + [9, 22, 1]) + der(0xa0, der(0x04, Array(data))))
        return bag(3, value, name: name, identifier: identifier)
    }

    // MARK: The file

    var data: Data {
        let content = value(0x30, safes.map { safe in value(0x30, [Self.plainData, value(0xa0, [octets(safe)])]) })
        let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let algorithm = Self.der(0x30, Self.der(0x06, [0x2b, 0x0e, 3, 2, 26]) + Self.der(0x05, []))
        let code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: content, using: key(salt)))
        let usual = Self.der(0x30, Self.der(0x30, algorithm + Self.der(0x04, code)) + Self.der(0x04, salt))
        return Data(
            value(
                0x30,
                [
                    [2, 1, 3], value(0x30, [Self.plainData, value(0xa0, [octets(content)])]),
                    authentication?(content) ?? usual,
                ]))
    }

    private func value(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return isIndefinite ? [tag, 0x80] + content + [0, 0] : Self.der(tag, content)
    }

    /// In two pieces, the second of which consists of one more piece.
    private func octets(_ bytes: [UInt8]) -> [UInt8] {
        guard isIndefinite else { return Self.der(0x04, bytes) }
        let half = bytes.count / 2
        let last = [0x24, 0x80] + Self.der(0x04, Array(bytes[half...])) + [0, 0]
        return [0x24, 0x80] + Self.der(0x04, Array(bytes[..<half])) + last + [0, 0]
    }

    /// RFC 7292, appendix B: one block and one round.
    private func key(_ salt: [UInt8]) -> SymmetricKey {
        var text: [UInt8] = []
        if let passphrase { text = passphrase.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } + [0, 0] }
        let input = [UInt8](repeating: 3, count: 64) + Self.blocks(salt) + Self.blocks(text)
        return SymmetricKey(data: Data(Insecure.SHA1.hash(data: input)))
    }

    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        let size = (bytes.count + 63) / 64 * 64
        return (0..<size).map { bytes[$0 % bytes.count] }
    }
}
