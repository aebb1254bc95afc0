import Crypto
import CryptoExtras
import Foundation

/// The public half of an RSA key.
struct RSAPublicKeyMaterial: KeyMaterial {
    let key: _RSA.Signing.PublicKey

    var type: KeyType { .rsa }
    var isPrivate: Bool { false }
    var sizeInBits: Int { key.keySizeInBits }
    var blockSize: Int { (sizeInBits + 7) / 8 }
    var externalRepresentation: Data { key.pkcs1DERRepresentation }
    var publicMaterial: any KeyMaterial { self }

    func supports(_ scheme: SignatureScheme, _ operation: SecKeyOperationType) -> Bool {
        operation == .verify && scheme.padding != nil
    }

    func signature(of data: Data, _ scheme: SignatureScheme) throws -> Data {
        throw KeyFailure.unsupported
    }

    func isValid(_ signature: Data, of data: Data, _ scheme: SignatureScheme) throws -> Bool {
        guard let padding = scheme.padding, let digest = scheme.digest else { throw KeyFailure.unsupported }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return digest.withDigest(of: data) { key.isValidSignature(signature, for: $0, padding: padding) }
    }
}

/// A whole RSA key.
struct RSAPrivateKeyMaterial: KeyMaterial {
    let key: _RSA.Signing.PrivateKey

    var type: KeyType { .rsa }
    var isPrivate: Bool { true }
    var sizeInBits: Int { key.keySizeInBits }
    var blockSize: Int { (sizeInBits + 7) / 8 }
    var externalRepresentation: Data { key.derRepresentation }
    var publicMaterial: any KeyMaterial { RSAPublicKeyMaterial(key: key.publicKey) }

    func supports(_ scheme: SignatureScheme, _ operation: SecKeyOperationType) -> Bool {
        operation == .sign && scheme.padding != nil
    }

    func signature(of data: Data, _ scheme: SignatureScheme) throws -> Data {
        guard let padding = scheme.padding, let digest = scheme.digest else { throw KeyFailure.unsupported }
        return try digest.withDigest(of: data) { try key.signature(for: $0, padding: padding).rawRepresentation }
    }

    func isValid(_ signature: Data, of data: Data, _ scheme: SignatureScheme) throws -> Bool {
        throw KeyFailure.unsupported
    }
}

extension SignatureScheme {
    /// The padding, or nil where swift-crypto cannot follow: it takes no digest that it has not made itself.
    fileprivate var padding: _RSA.Signing.Padding? {
        guard takesMessage else { return nil }
        switch form {
        case .pkcs1: return .insecurePKCS1v1_5
        case .pss: return .PSS
        case .x962, .rfc4754: return nil
        }
    }
}
