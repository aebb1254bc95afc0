// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1

/// An authentication code with a key that PBKDF2 derives from a passphrase: RFC 8018, appendix A.5, with the
/// requirements of RFC 9579 for PKCS #12.
struct PBMAC1 {
    /// The digest of the code's HMAC.
    let digest: KeyDigest
    private let derivation: PBKDF2

    /// - Parameter parameters: The values that follow the algorithm's identifier in a file.
    /// - Throws: `errSecUnsupportedFormat` for an unknown derivation or digest. `errSecDecode` for damaged parameters,
    ///   and for a key without a length or of less than 20 bytes, because anyone could forge the code of a short key.
    init(_ parameters: inout BERReader) throws(KeychainError) {
        var parts = try parameters.next(BERTag.sequence).parts
        derivation = try PBKDF2(parts.next(BERTag.sequence))
        digest = try Self.digest(parts.next(BERTag.sequence))
    }

    /// The digest of the HMAC that an algorithm's identifier names.
    fileprivate static func digest(_ algorithm: BERValue) throws(KeychainError) -> KeyDigest {
        var parts = algorithm.parts
        let identifier = try parts.next().identifier()
        guard let digest = KeyDigest.allCases.first(where: { $0.authenticationIdentifier == identifier }) else {
            throw KeychainError(errSecUnsupportedFormat, "the file's authentication code uses an unknown digest")
        }
        return digest
    }

    /// Derives the key of the code.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, `errSecDecode` if the derivation exceeds the budget.
    func key(
        _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> SymmetricKey {
        try derivation.key(passphrase, &budget)
    }
}

/// The derivation of a key from a passphrase: RFC 8018, section 5.2.
private struct PBKDF2 {
    /// RFC 9579, section 7, requires at least 20 bytes. No digest needs as many as 1024.
    private static let keySizes = 20...1024

    private let salt: ArraySlice<UInt8>
    private let rounds: Int
    private let keySize: Int
    private let digest: KeyDigest

    init(_ algorithm: BERValue) throws(KeychainError) {
        var parts = algorithm.parts
        guard try parts.next().identifier() == .pbkdf2 else {
            throw KeychainError(
                errSecUnsupportedFormat, "the key of the file's authentication code is derived in an unknown way")
        }
        var parameters = try parts.next(BERTag.sequence).parts
        salt = try parameters.next(BERTag.octetString).content
        guard salt.count <= PassphraseCipher.greatestSaltSize else { throw .notDecodable("the salt is too long") }
        rounds = try parameters.next(BERTag.integer).number()
        guard let keySize = try parameters.nextIfAny(BERTag.integer)?.number(), Self.keySizes.contains(keySize) else {
            throw .notDecodable("the key of the file's code has no length, or one that is not allowed")
        }
        self.keySize = keySize
        digest = parameters.isAtEnd ? .sha1 : try PBMAC1.digest(parameters.next(BERTag.sequence))
    }

    func key(
        _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> SymmetricKey {
        // Each block of the key takes all rounds.
        let blocks = (keySize + digest.byteCount - 1) / digest.byteCount
        let (work, isTooMuch) = rounds.multipliedReportingOverflow(by: blocks)
        try budget.spend(rounds: isTooMuch ? .max : work)
        let library = try LibcryptoPBE.required()
        defer { library.common.clearErrors() }
        var key = [UInt8](repeating: 0, count: keySize)
        defer { key.wipe() }
        let status = salt.withUnsafeBufferPointer { salt in
            passphrase.withCharacters { characters, length in
                library.deriveBytes(
                    characters, length, salt.baseAddress, CInt(clamping: salt.count), CInt(clamping: rounds),
                    library.common.algorithm(digest), CInt(clamping: key.count), &key)
            }
        }
        guard status == 1 else { throw KeychainError(errSecInternalComponent, "OpenSSL could not derive a key") }
        return SymmetricKey(data: key)
    }
}

extension KeyDigest {
    /// The identifier of HMAC with the digest: RFC 8018, appendix B.1.
    fileprivate var authenticationIdentifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 2, 840, 113549, 2, 7]
        case .sha224: [1, 2, 840, 113549, 2, 8]
        case .sha256: .hmacWithSHA256
        case .sha384: [1, 2, 840, 113549, 2, 10]
        case .sha512: [1, 2, 840, 113549, 2, 11]
        }
    }
}
