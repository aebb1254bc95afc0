// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SwiftASN1

/// An encryption with a passphrase: the identifier of an algorithm with its parameters, as files have it.
struct PassphraseCipher {
    /// The identifier and its parameters in BER.
    private let encoding: ArraySlice<UInt8>
    /// The work of one derivation: the number of rounds, or the product of scrypt's three parameters.
    let rounds: Int
    /// Whether OpenSSL keeps the cipher in its provider `legacy`.
    let isOld: Bool

    /// - Throws: `errSecUnsupportedFormat` for an unknown algorithm, `errSecDecode` for damaged parameters,
    ///   `errSecUnimplemented` if scrypt needs more than 32 MiB.
    init(_ value: BERValue) throws(KeychainError) {
        guard value.tag == BERTag.sequence else { throw .notDecodable("an algorithm is none") }
        encoding = value.encoding
        var parts = value.parts
        let scheme = try parts.next().identifier()
        var parameters = try parts.next(BERTag.sequence).parts
        if scheme == .pbes2 {
            rounds = try Self.rounds(ofDerivation: parameters.next(BERTag.sequence))
            var cipher = try parameters.next(BERTag.sequence).parts
            let identifier = try cipher.next().identifier()
            guard Self.ciphers.contains(identifier) else { throw Self.unknown }
            isOld = [.rc2CBC, .desCBC].contains(identifier)
        } else if let known = Self.schemes.first(where: { $0.identifier == scheme }) {
            try Self.checkSalt(parameters.next())
            rounds = try parameters.next().number()
            isOld = known.isOld
        } else {
            throw Self.unknown
        }
    }

    private static let unknown = KeychainError(
        errSecUnsupportedFormat, "the file is encrypted with an unknown algorithm")

    /// The ciphers of PBES2 that OpenSSL has. OpenSSL gives the same error for an unknown cipher as for a wrong
    /// passphrase.
    private static let ciphers: Set<ASN1ObjectIdentifier> = [
        [2, 16, 840, 1, 101, 3, 4, 1, 2], [2, 16, 840, 1, 101, 3, 4, 1, 22], .aes256CBC,
        [1, 2, 840, 113549, 3, 7], .rc2CBC, .desCBC,  // triple DES, and the old ones
        [1, 2, 392, 200011, 61, 1, 1, 1, 2], [1, 2, 392, 200011, 61, 1, 1, 1, 3],
        [1, 2, 392, 200011, 61, 1, 1, 1, 4],  // Camellia
        [1, 2, 410, 200046, 1, 1, 2], [1, 2, 410, 200046, 1, 1, 7], [1, 2, 410, 200046, 1, 1, 12],  // ARIA
    ]

    /// The digests of PBKDF2: HMAC with SHA-1, SHA-2 and MD5.
    private static let derivationDigests: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 113549, 2, 6], [1, 2, 840, 113549, 2, 7], [1, 2, 840, 113549, 2, 8], .hmacWithSHA256,
        [1, 2, 840, 113549, 2, 10], [1, 2, 840, 113549, 2, 11], [1, 2, 840, 113549, 2, 12], [1, 2, 840, 113549, 2, 13],
    ]

    /// The schemes that programs used before PBES2: RFC 7292, appendix C, and RFC 8018, appendix A.3.
    private static let schemes: [(identifier: ASN1ObjectIdentifier, isOld: Bool)] = [
        ([1, 2, 840, 113549, 1, 12, 1, 1], true),  // SHA-1, RC4 of 128 bits
        ([1, 2, 840, 113549, 1, 12, 1, 2], true),  // SHA-1, RC4 of 40 bits
        ([1, 2, 840, 113549, 1, 12, 1, 3], false),  // SHA-1, triple DES with three keys
        ([1, 2, 840, 113549, 1, 12, 1, 4], false),  // SHA-1, triple DES with two keys
        ([1, 2, 840, 113549, 1, 12, 1, 5], true),  // SHA-1, RC2 of 128 bits
        ([1, 2, 840, 113549, 1, 12, 1, 6], true),  // SHA-1, RC2 of 40 bits
        ([1, 2, 840, 113549, 1, 5, 3], true),  // MD5, DES
        ([1, 2, 840, 113549, 1, 5, 6], true),  // MD5, RC2
        ([1, 2, 840, 113549, 1, 5, 10], true),  // SHA-1, DES
        ([1, 2, 840, 113549, 1, 5, 11], true),  // SHA-1, RC2
    ]

    /// Programs write from 8 to 64 bytes of salt. Each step of the derivation copies it.
    static let greatestSaltSize = 1024

    private static func checkSalt(_ value: BERValue) throws(KeychainError) {
        guard try value.octets().count <= greatestSaltSize else { throw .notDecodable("the salt is too long") }
    }

    private static func rounds(ofDerivation value: BERValue) throws(KeychainError) -> Int {
        var parts = value.parts
        let derivation = try parts.next().identifier()
        var parameters = try parts.next(BERTag.sequence).parts
        try checkSalt(parameters.next())
        switch derivation {
        case .pbkdf2:
            let rounds = try parameters.next().number()
            _ = try parameters.nextIfAny(BERTag.integer)
            guard let digest = try parameters.nextIfAny(BERTag.sequence) else { return rounds }
            var parts = digest.parts
            guard derivationDigests.contains(try parts.next().identifier()) else { throw unknown }
            return rounds
        case .scrypt:
            let cost = try (parameters.next().number(), parameters.next().number(), parameters.next().number())
            let (once, tooMuch) = cost.0.multipliedReportingOverflow(by: cost.1)
            let (all, farTooMuch) = once.multipliedReportingOverflow(by: cost.2)
            if tooMuch || farTooMuch { return .max }
            try checkMemory(cost.0, blockSize: cost.1, parallel: cost.2, work: all)
            return all
        default:
            throw KeychainError(
                errSecUnsupportedFormat, "the file derives its key from the passphrase in an unknown way")
        }
    }

    /// OpenSSL allows scrypt 32 MiB, and gives the same error for a file that needs more as for a wrong passphrase.
    private static func checkMemory(_ cost: Int, blockSize: Int, parallel: Int, work: Int) throws(KeychainError) {
        // The product does not overflow, because no factor exceeds the limit of a file.
        guard work <= ImportBudget.greatestRounds, cost > 0, blockSize > 0, parallel > 0 else { return }
        if 128 * blockSize * (cost + 2) + 128 * blockSize * (parallel + 1) > 32 << 20 {
            throw .unimplemented("the file's scrypt parameters need more memory than OpenSSL allows")
        }
    }

    /// - Throws: `errSecAuthFailed` if the passphrase is wrong, `errSecUnimplemented` without OpenSSL or the old
    ///   ciphers, `errSecDecode` if the derivation exceeds the budget.
    func decrypted(
        _ ciphertext: ArraySlice<UInt8>, _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> WipedBytes {
        try budget.spend(rounds: rounds)
        let library = try LibcryptoPBE.required()
        if isOld, !LibcryptoPBE.hasOldCiphers {
            throw .unimplemented("the file is encrypted with an old cipher that this machine's OpenSSL lacks")
        }
        guard let plaintext = transformed(ciphertext, passphrase, isEncryption: false, library) else {
            throw .wrongPassphrase
        }
        return plaintext
    }

    private func transformed(
        _ input: ArraySlice<UInt8>, _ passphrase: PassphraseBytes, isEncryption: Bool, _ library: LibcryptoPBE
    ) -> WipedBytes? {
        defer { library.common.clearErrors() }
        let algorithm = encoding.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return library.readAlgorithm(nil, &start, buffer.count)
        }
        guard let algorithm, let inputCount = CInt(exactly: input.count) else { return nil }
        defer { library.freeAlgorithm(algorithm) }
        var output: UnsafeMutablePointer<UInt8>?
        var count: CInt = 0
        let result = input.withUnsafeBufferPointer { input in
            passphrase.withCharacters { characters, length in
                library.crypt(
                    algorithm, characters, length, input.baseAddress, inputCount, &output, &count,
                    isEncryption ? 1 : 0, library.context, nil)
            }
        }
        guard result != nil, let output else { return nil }
        defer { library.free(output, Int(count), nil, 0) }
        return WipedBytes(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}

// MARK: - What is written

extension PassphraseCipher {
    /// The rounds of each derivation in a file that this library writes.
    static let usualRounds = 100_000

    /// PBES2 with PBKDF2, HMAC with SHA-256, and AES-256 in CBC mode; a new salt each time.
    static func new() throws(KeychainError) -> PassphraseCipher {
        let bytes = try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(ASN1ObjectIdentifier.pbes2)
                try serializer.sequence { serializer in
                    try serializer.sequence(derivation)
                    try serializer.sequence { serializer in
                        try serializer.serialize(ASN1ObjectIdentifier.aes256CBC)
                        serializer.octets(RandomBytes.bytes(16))
                    }
                }
            }
        }
        var reader = BERReader(bytes[...])
        return try PassphraseCipher(reader.next())
    }

    private static func derivation(_ serializer: inout DER.Serializer) throws {
        try serializer.serialize(ASN1ObjectIdentifier.pbkdf2)
        try serializer.sequence { serializer in
            serializer.octets(RandomBytes.bytes(16))
            try serializer.serialize(usualRounds)
            try serializer.sequence { serializer in
                try serializer.serialize(ASN1ObjectIdentifier.hmacWithSHA256)
                try serializer.serialize(ASN1Null())
            }
        }
    }

    /// - Throws: `errSecUnimplemented` without OpenSSL.
    func encrypted(_ plaintext: [UInt8], _ passphrase: Passphrase) throws(KeychainError) -> [UInt8] {
        let library = try LibcryptoPBE.required()
        guard let bytes = transformed(plaintext[...], passphrase.usual, isEncryption: true, library) else {
            throw KeychainError(errSecInternalComponent, "OpenSSL could not encrypt")
        }
        return bytes.withBytes { Array($0) }
    }

    func serialize(into serializer: inout DER.Serializer) {
        serializer.serializeRawBytes(encoding)
    }
}

extension KeychainError {
    static let wrongPassphrase = KeychainError(errSecAuthFailed, "the passphrase is wrong")

    /// The error for decrypted bytes that cannot be read. With one wrong passphrase in 256, the padding is valid by
    /// chance.
    var afterDecryption: KeychainError {
        status == errSecDecode ? KeychainError(errSecAuthFailed, message, underlying: self) : self
    }
}
