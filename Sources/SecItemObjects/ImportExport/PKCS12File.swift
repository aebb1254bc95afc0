// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// A PKCS #12 file (RFC 7292): keys and certificates protected by a passphrase.
struct PKCS12File {
    private let content: ArraySlice<UInt8>
    private let code: PKCS12MAC

    /// Reads the outermost part. Bytes after it are ignored.
    ///
    /// - Throws: `errSecDecode` for a file that is not PKCS #12 or has no authentication code, as Apple's function.
    ///   `errSecUnsupportedFormat` for an unknown authentication code.
    init(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes)
        var parts = try reader.next(BERTag.sequence).parts
        guard try parts.next().number() == 3 else { throw .notDecodable("the file is of an unknown version") }
        content = try Self.data(parts.next(BERTag.sequence))
        guard let code = try parts.nextIfAny(BERTag.sequence) else {
            throw .notDecodable(
                "the PKCS #12 file has no MAC, the code that shows that nobody changed the file. Export it with one")
        }
        self.code = try PKCS12MAC(code)
    }

    /// The bytes of a PKCS #7 value that is neither signed nor encrypted.
    private static func data(_ value: BERValue) throws(KeychainError) -> ArraySlice<UInt8> {
        var parts = value.parts
        guard try parts.next().identifier() == .plainData else {
            throw .notDecodable("the file is not protected by a passphrase")
        }
        var tagged = try parts.next(BERTag.tagged0).parts
        return try tagged.next().octets()
    }

    /// Opens the file.
    ///
    /// - Throws: `errSecAuthFailed` if the passphrase is wrong. `errSecUnimplemented` without OpenSSL.
    ///   `errSecUnsupportedFormat` for a part that is encrypted for a certificate, and for an unknown cipher. Also as
    ///   ``PKCS12Bags/add(_:_:_:depth:)``.
    func bags(_ passphrase: Passphrase, _ budget: inout ImportBudget) throws(KeychainError) -> PKCS12Bags {
        let spelling = try code.spelling(of: passphrase, for: content, &budget)
        var bags = PKCS12Bags()
        var outer = BERReader(content)
        var safes = try outer.next(BERTag.sequence).parts
        while !safes.isAtEnd { try Self.add(safes.next(BERTag.sequence), to: &bags, spelling, &budget) }
        return bags
    }

    private static func add(
        _ safe: BERValue, to bags: inout PKCS12Bags, _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) {
        var parts = safe.parts
        switch try parts.next().identifier() {
        case .plainData: try bags.add(data(safe), passphrase, &budget)
        case .encryptedData:
            var tagged = try parts.next(BERTag.tagged0).parts
            var encrypted = try tagged.next(BERTag.sequence).parts
            _ = try encrypted.next().number()
            var info = try encrypted.next(BERTag.sequence).parts
            _ = try info.next().identifier()
            let cipher = try PassphraseCipher(info.next())
            let plaintext = try cipher.decrypted(info.next().octets(), passphrase, &budget)
            var all = bags
            try plaintext.withBytes { (bytes) throws(KeychainError) in
                try all.add(bytes, passphrase, &budget)
            }
            bags = all
        default: throw KeychainError(errSecUnsupportedFormat, "a part of the file is encrypted for a certificate")
        }
    }
}
