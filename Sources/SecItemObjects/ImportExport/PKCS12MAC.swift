// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore
import SwiftASN1

/// The authentication code of a PKCS #12 file. It shows that the file is unchanged and that the passphrase is right:
/// RFC 7292, section 4, and RFC 9579.
struct PKCS12MAC {
    private let digest: KeyDigest
    private let code: ArraySlice<UInt8>
    private let derivation: Derivation

    /// How the key of the code is derived from the passphrase.
    private enum Derivation {
        /// RFC 7292, appendix B.
        case pkcs12(salt: ArraySlice<UInt8>, rounds: Int)
        case pbmac1(PBMAC1)
    }

    /// - Throws: `errSecUnsupportedFormat` for an unknown digest, `errSecDecode` for damaged values or a salt of more
    ///   than 1024 bytes, and the errors of ``PBMAC1``.
    init(_ value: BERValue) throws(KeychainError) {
        var parts = value.parts
        var info = try parts.next(BERTag.sequence).parts
        var algorithm = try info.next(BERTag.sequence).parts
        let identifier = try algorithm.next().identifier()
        if identifier == .pbmac1 {
            let own = try PBMAC1(&algorithm)
            digest = own.digest
            derivation = .pbmac1(own)
            code = try info.next().octets()
            // PBMAC1 has a salt and rounds of its own, and the ones that follow are not used.
            return
        }
        guard let digest = KeyDigest.allCases.first(where: { $0.identifier == identifier }) else {
            throw KeychainError(errSecUnsupportedFormat, "the file's authentication code uses an unknown digest")
        }
        self.digest = digest
        code = try info.next().octets()
        let salt = try parts.next().octets()
        guard salt.count <= PassphraseCipher.greatestSaltSize else { throw .notDecodable("the salt is too long") }
        let rounds = parts.isAtEnd ? 1 : try parts.next(BERTag.integer).number()
        derivation = .pkcs12(salt: salt, rounds: rounds)
    }

    /// Finds the spelling of the passphrase with which the code was made.
    ///
    /// - Throws: `errSecAuthFailed` if no spelling fits, `errSecUnimplemented` without OpenSSL, `errSecDecode` if the
    ///   derivation exceeds the budget.
    func spelling(
        of passphrase: Passphrase, for content: ArraySlice<UInt8>, _ budget: inout ImportBudget
    ) throws(KeychainError) -> PassphraseBytes {
        for spelling in passphrase.spellings {
            let key = try key(spelling, &budget)
            if digest.isAuthenticationCode(code, of: content, key: key) { return spelling }
        }
        throw KeychainError(errSecAuthFailed, "the passphrase is wrong, or the file was changed")
    }

    private func key(
        _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> SymmetricKey {
        switch derivation {
        case .pkcs12(let salt, let rounds):
            try budget.spend(rounds: rounds)
            return try Self.key(digest, passphrase, salt, rounds)
        case .pbmac1(let own): return try own.key(passphrase, &budget)
        }
    }

    /// Writes the authentication code of a new file.
    static func serialize(
        for content: [UInt8], _ passphrase: Passphrase, into serializer: inout DER.Serializer
    ) throws {
        let salt = RandomBytes.bytes(16)
        let rounds = PassphraseCipher.usualRounds
        let key = try key(.sha256, passphrase.usual, salt[...], rounds)
        let code = HMAC<SHA256>.authenticationCode(for: content, using: key)
        try serializer.sequence { serializer in
            try serializer.sequence { serializer in
                try serializer.sequence { serializer in
                    try serializer.serialize(ASN1ObjectIdentifier.sha256)
                    try serializer.serialize(ASN1Null())
                }
                serializer.octets(Array(code))
            }
            serializer.octets(salt)
            try serializer.serialize(rounds)
        }
    }

    private static func key(
        _ digest: KeyDigest, _ passphrase: PassphraseBytes, _ salt: ArraySlice<UInt8>, _ rounds: Int
    ) throws(KeychainError) -> SymmetricKey {
        let library = try LibcryptoPBE.required()
        defer { library.common.clearErrors() }
        var key = [UInt8](repeating: 0, count: digest.byteCount)
        defer { key.wipe() }
        let status = salt.withUnsafeBufferPointer { salt in
            passphrase.withCharacters { characters, length in
                library.deriveKey(
                    characters, length, salt.baseAddress, CInt(clamping: salt.count), 3, CInt(clamping: rounds),
                    CInt(digest.byteCount), &key, library.common.algorithm(digest), library.context, nil)
            }
        }
        guard status == 1 else { throw KeychainError(errSecInternalComponent, "OpenSSL could not derive a key") }
        return SymmetricKey(data: key)
    }
}

extension KeyDigest {
    fileprivate var identifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha224: [2, 16, 840, 1, 101, 3, 4, 2, 4]
        case .sha256: .sha256
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    fileprivate func isAuthenticationCode(
        _ code: ArraySlice<UInt8>, of content: ArraySlice<UInt8>, key: SymmetricKey
    ) -> Bool {
        switch self {
        case .sha1: HMAC<Insecure.SHA1>.isValidAuthenticationCode(code, authenticating: content, using: key)
        case .sha224: HMAC<SHA224>.isValidAuthenticationCode(code, authenticating: content, using: key)
        case .sha256: HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key)
        case .sha384: HMAC<SHA384>.isValidAuthenticationCode(code, authenticating: content, using: key)
        case .sha512: HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: content, using: key)
        }
    }
}
