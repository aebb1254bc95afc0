// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The interface of the three curves' public keys, for which swift-crypto has no protocol.
protocol CurvePublicKey: Sendable {
    associatedtype PrivateKey: CurvePrivateKey
    static var sizeInBits: Int { get }
    var x963Representation: Data { get }
    func isValid(_ signature: Data, for digest: some Digest, inDER: Bool) -> Bool
}

/// The interface of the three curves' private keys.
protocol CurvePrivateKey: Sendable {
    associatedtype PublicKey: CurvePublicKey where PublicKey.PrivateKey == Self
    associatedtype AgreementKey: CurveAgreementKey
    init()
    var publicKey: PublicKey { get }
    var x963Representation: Data { get }
    var rawRepresentation: Data { get }
    func signature(for digest: some Digest, inDER: Bool) throws -> Data
}

extension CurvePrivateKey {
    /// The same key in swift-crypto's type for agreement. Making it costs about as much as an agreement.
    var agreementKey: AgreementKey {
        get throws {
            try Secret(wiping: rawRepresentation).withUnsafeBytes { try AgreementKey(rawRepresentation: $0) }
        }
    }
}

/// The interface of the three curves' private keys for agreement.
protocol CurveAgreementKey: Sendable {
    associatedtype PublicKey: CurveAgreementPublicKey
    init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws
    /// The shared secret. These curves have the cofactor 1, so there is only one.
    func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret
}

/// The interface of the three curves' public keys for agreement.
protocol CurveAgreementPublicKey: Sendable {
    init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws
}

extension P256.KeyAgreement.PrivateKey: CurveAgreementKey {}
extension P256.KeyAgreement.PublicKey: CurveAgreementPublicKey {}
extension P384.KeyAgreement.PrivateKey: CurveAgreementKey {}
extension P384.KeyAgreement.PublicKey: CurveAgreementPublicKey {}
extension P521.KeyAgreement.PrivateKey: CurveAgreementKey {}
extension P521.KeyAgreement.PublicKey: CurveAgreementPublicKey {}

extension P256.Signing.PublicKey: CurvePublicKey {
    typealias PrivateKey = P256.Signing.PrivateKey

    static var sizeInBits: Int { 256 }

    func isValid(_ signature: Data, for digest: some Digest, inDER: Bool) -> Bool {
        let signature =
            inDER
            ? try? P256.Signing.ECDSASignature(derRepresentation: signature)
            : try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        return signature.map { isValidSignature($0, for: digest) } ?? false
    }
}

extension P256.Signing.PrivateKey: CurvePrivateKey {
    typealias AgreementKey = P256.KeyAgreement.PrivateKey

    init() {
        self.init(compactRepresentable: false)
    }

    func signature(for digest: some Digest, inDER: Bool) throws -> Data {
        let made: P256.Signing.ECDSASignature = try signature(for: digest)
        return inDER ? made.derRepresentation : made.rawRepresentation
    }
}

extension P384.Signing.PublicKey: CurvePublicKey {
    typealias PrivateKey = P384.Signing.PrivateKey

    static var sizeInBits: Int { 384 }

    func isValid(_ signature: Data, for digest: some Digest, inDER: Bool) -> Bool {
        let signature =
            inDER
            ? try? P384.Signing.ECDSASignature(derRepresentation: signature)
            : try? P384.Signing.ECDSASignature(rawRepresentation: signature)
        return signature.map { isValidSignature($0, for: digest) } ?? false
    }
}

extension P384.Signing.PrivateKey: CurvePrivateKey {
    typealias AgreementKey = P384.KeyAgreement.PrivateKey

    init() {
        self.init(compactRepresentable: false)
    }

    func signature(for digest: some Digest, inDER: Bool) throws -> Data {
        let made: P384.Signing.ECDSASignature = try signature(for: digest)
        return inDER ? made.derRepresentation : made.rawRepresentation
    }
}

extension P521.Signing.PublicKey: CurvePublicKey {
    typealias PrivateKey = P521.Signing.PrivateKey

    static var sizeInBits: Int { 521 }

    func isValid(_ signature: Data, for digest: some Digest, inDER: Bool) -> Bool {
        let signature =
            inDER
            ? try? P521.Signing.ECDSASignature(derRepresentation: signature)
            : try? P521.Signing.ECDSASignature(rawRepresentation: signature)
        return signature.map { isValidSignature($0, for: digest) } ?? false
    }
}

extension P521.Signing.PrivateKey: CurvePrivateKey {
    typealias AgreementKey = P521.KeyAgreement.PrivateKey

    init() {
        self.init(compactRepresentable: false)
    }

    func signature(for digest: some Digest, inDER: Bool) throws -> Data {
        let made: P521.Signing.ECDSASignature = try signature(for: digest)
        return inDER ? made.derRepresentation : made.rawRepresentation
    }
}
