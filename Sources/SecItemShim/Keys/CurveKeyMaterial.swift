import Crypto
import Foundation

/// The public half of a key on a curve.
struct CurvePublicKeyMaterial<Key: CurvePublicKey>: KeyMaterial {
    let key: Key

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { false }
    var sizeInBits: Int { Key.sizeInBits }
    var blockSize: Int { (sizeInBits + 7) / 8 }
    var externalRepresentation: Data { key.x963Representation }
    var publicMaterial: any KeyMaterial { self }

    func supports(_ scheme: SignatureScheme, _ operation: SecKeyOperationType) -> Bool {
        operation == .verify && scheme.isOnCurve
    }

    func signature(of data: Data, _ scheme: SignatureScheme) throws -> Data {
        throw KeyFailure.unsupported
    }

    func isValid(_ signature: Data, of data: Data, _ scheme: SignatureScheme) throws -> Bool {
        try scheme.withCurveDigest(of: data) { key.isValid(signature, for: $0, inDER: scheme.form == .x962) }
    }
}

/// A whole key on a curve.
struct CurvePrivateKeyMaterial<Key: CurvePrivateKey>: KeyMaterial {
    let key: Key

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { true }
    var sizeInBits: Int { Key.PublicKey.sizeInBits }
    var blockSize: Int { (sizeInBits + 7) / 8 }
    var externalRepresentation: Data { key.x963Representation }
    var publicMaterial: any KeyMaterial { CurvePublicKeyMaterial(key: key.publicKey) }

    func supports(_ scheme: SignatureScheme, _ operation: SecKeyOperationType) -> Bool {
        operation == .sign && scheme.isOnCurve
    }

    func signature(of data: Data, _ scheme: SignatureScheme) throws -> Data {
        try scheme.withCurveDigest(of: data) { try key.signature(for: $0, inDER: scheme.form == .x962) }
    }

    func isValid(_ signature: Data, of data: Data, _ scheme: SignatureScheme) throws -> Bool {
        throw KeyFailure.unsupported
    }
}

extension SignatureScheme {
    fileprivate var isOnCurve: Bool { form == .x962 || form == .rfc4754 }

    /// Gives the digest to sign: that of the message, or the one that the caller made.
    fileprivate func withCurveDigest<R>(of data: Data, _ body: (any Crypto.Digest) throws -> R) throws -> R {
        guard isOnCurve else { throw KeyFailure.unsupported }
        if takesMessage {
            guard let digest else { throw KeyFailure.unsupported }
            return try digest.withDigest(of: data, body)
        }
        let isOfRightLength = digest.map { $0.byteCount == data.count } ?? !data.isEmpty
        guard isOfRightLength else { throw KeyFailure.wrongDigestLength }
        return try body(GivenDigest(bytes: [UInt8](data)))
    }
}
