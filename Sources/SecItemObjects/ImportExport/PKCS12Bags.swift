// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1

/// The content of a PKCS #12 file.
struct PKCS12Bags {
    /// A key or certificate, with its attributes in the file.
    struct Bag<Content> {
        let content: Content
        let name: String?
        /// A value that a key shares with its certificate.
        let identifier: Data?
    }

    private static let greatestDepth = 4

    private(set) var keys: [Bag<any KeyMaterial>] = []
    private(set) var certificates: [Bag<SecCertificate>] = []
    /// The keys that were read, by the digests of their bags' values. A copy of one is neither decrypted nor read
    /// again.
    private var known: [Data: any KeyMaterial] = [:]

    /// Adds the content of a sequence of bags. Revocation lists and secrets are ignored.
    ///
    /// - Throws: `errSecDecode` for damaged or too deeply nested bags. `errSecDataTooLarge` for more than 4096 bags and
    ///   for a certificate of more than 1 MiB. Also as ``KeyFormat/key(_:)`` and
    ///   ``PassphraseCipher/decrypted(_:_:_:)``.
    mutating func add(
        _ bytes: ArraySlice<UInt8>, _ passphrase: PassphraseBytes, _ budget: inout ImportBudget, depth: Int = 0
    ) throws(KeychainError) {
        guard depth < Self.greatestDepth else { throw .notDecodable("bags are nested too deeply") }
        var outer = BERReader(bytes)
        var bags = try outer.next(BERTag.sequence).parts
        while !bags.isAtEnd {
            try budget.spendBag()
            try add(bags.next(BERTag.sequence), passphrase, &budget, depth: depth)
        }
    }

    private mutating func add(
        _ bag: BERValue, _ passphrase: PassphraseBytes, _ budget: inout ImportBudget, depth: Int
    ) throws(KeychainError) {
        var parts = bag.parts
        let kind = try parts.next().identifier()
        var tagged = try parts.next(BERTag.tagged0).parts
        let value = try tagged.next()
        let attributes = try PKCS12Attributes(parts.nextIfAny(BERTag.set))
        switch kind {
        case .keyBag, .encryptedKeyBag:
            let digest = Data(SHA256.hash(data: value.encoding))
            let isEncrypted = kind == .encryptedKeyBag
            let key =
                if let copied = known[digest] { copied } else { try key(value, isEncrypted, passphrase, &budget) }
            known[digest] = key
            keys.append(Bag(content: key, name: attributes.name, identifier: attributes.identifier))
        case .certificateBag: try addCertificate(value, attributes)
        case .nestedBags: try add(value.encoding, passphrase, &budget, depth: depth + 1)
        default: break
        }
    }

    private func key(
        _ value: BERValue, _ isEncrypted: Bool, _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> any KeyMaterial {
        isEncrypted ? try EncryptedKey(value).key(passphrase, &budget) : try KeyFormat.privateKeyInfo.key(value)
    }

    private mutating func addCertificate(_ value: BERValue, _ attributes: PKCS12Attributes) throws(KeychainError) {
        var parts = value.parts
        guard try parts.next().identifier() == .x509Certificate else { return }
        var tagged = try parts.next(BERTag.tagged0).parts
        let bytes = try tagged.next().octets()
        let certificate = try SecCertificate(ofFile: bytes)
        certificates.append(Bag(content: certificate, name: attributes.name, identifier: attributes.identifier))
    }
}

private struct PKCS12Attributes {
    private(set) var name: String?
    private(set) var identifier: Data?

    init(_ set: BERValue?) throws(KeychainError) {
        guard var attributes = set?.parts else { return }
        while !attributes.isAtEnd {
            var parts = try attributes.next(BERTag.sequence).parts
            let kind = try parts.next().identifier()
            var values = try parts.next(BERTag.set).parts
            guard !values.isAtEnd else { continue }
            let value = try values.next()
            switch kind {
            case .friendlyName where value.tag == BERTag.bmpString:
                name = String(data: Data(value.content), encoding: .utf16BigEndian)
            case .localKeyIdentifier: identifier = Data(try value.octets())
            default: break
            }
        }
    }
}

/// A key in PKCS #8 that is encrypted with a passphrase.
struct EncryptedKey {
    private let cipher: PassphraseCipher
    private let ciphertext: ArraySlice<UInt8>

    init(_ value: BERValue) throws(KeychainError) {
        var parts = value.parts
        cipher = try PassphraseCipher(parts.next())
        ciphertext = try parts.next().octets()
    }

    /// - Throws: As ``PassphraseCipher/decrypted(_:_:_:)`` and ``KeyFormat/key(_:)``.
    func key(
        _ passphrase: PassphraseBytes, _ budget: inout ImportBudget
    ) throws(KeychainError) -> any KeyMaterial {
        try cipher.decrypted(ciphertext, passphrase, &budget).withBytes { (bytes) throws(KeychainError) in
            var reader = BERReader(bytes)
            do throws(KeychainError) {
                return try KeyFormat.privateKeyInfo.key(reader.next(BERTag.sequence))
            } catch {
                throw error.afterDecryption
            }
        }
    }

    /// Tries each spelling of a passphrase.
    ///
    /// - Throws: As the function for one spelling.
    func key(_ passphrase: Passphrase, _ budget: inout ImportBudget) throws(KeychainError) -> any KeyMaterial {
        for spelling in passphrase.spellings {
            do throws(KeychainError) {
                return try key(spelling, &budget)
            } catch  where error.status == errSecAuthFailed {
                continue
            }
        }
        throw .wrongPassphrase
    }
}

extension SecCertificate {
    /// Reads a certificate from a file.
    ///
    /// - Throws: `errSecDataTooLarge` for more than 1 MiB, `errSecDecode` for bytes that are not a certificate.
    convenience init(ofFile bytes: ArraySlice<UInt8>) throws(KeychainError) {
        guard bytes.count <= TrustLimits.greatestBytes else {
            throw KeychainError(errSecDataTooLarge, "a certificate has more than \(TrustLimits.greatestBytes) bytes")
        }
        do {
            try self.init(Data(bytes))
        } catch {
            throw KeychainError(errSecDecode, "a certificate cannot be read", underlying: error)
        }
    }
}
