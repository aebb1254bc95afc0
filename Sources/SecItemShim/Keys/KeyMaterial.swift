import Crypto
import CryptoExtras
import Foundation

/// The families of keys.
package enum KeyType: Sendable {
    case rsa
    case ellipticCurve
}

/// A key as swift-crypto has it.
package protocol KeyMaterial: Sendable {
    var type: KeyType { get }
    var isPrivate: Bool { get }
    var sizeInBits: Int { get }
    /// How many bytes go into one step: those of the modulus, or of a coordinate.
    var blockSize: Int { get }
    /// The key as Apple's functions give it: PKCS #1 for RSA, ANSI X9.63 for curves.
    var externalRepresentation: Data { get }
    /// The public half.
    var publicMaterial: any KeyMaterial { get }

    func supports(_ scheme: SignatureScheme, _ operation: SecKeyOperationType) -> Bool
    /// - Throws: When the digest has the wrong length or the scheme is not supported.
    func signature(of data: Data, _ scheme: SignatureScheme) throws -> Data
    /// - Throws: When the digest has the wrong length or the scheme is not supported.
    func isValid(_ signature: Data, of data: Data, _ scheme: SignatureScheme) throws -> Bool
}

extension KeyMaterial {
    package var publicRepresentation: Data { publicMaterial.externalRepresentation }

    /// What an item of the keychain has as its label: the hash by which a certificate finds its key.
    package var publicKeyHash: Data {
        Data(Insecure.SHA1.hash(data: publicRepresentation))
    }
}

/// What a key cannot do.
enum KeyFailure: Error {
    case unsupported
    case wrongDigestLength
}
