import Crypto
import CryptoExtras
import Foundation

/// Reads the external representation of a key.
///
/// - Throws: `errSecParam` if the bytes are no such key.
func keyMaterial(
    _ type: KeyType, _ side: KeyRequest.Side, from bytes: Data
) throws(KeychainError) -> any KeyMaterial {
    do {
        return switch (type, side) {
        case (.rsa, .publicKey): try rsaPublicKey(bytes)
        case (.rsa, .privateKey): try rsaPrivateKey(bytes)
        case (.ellipticCurve, .publicKey): try curvePublicKey(bytes)
        case (.ellipticCurve, .privateKey): try curvePrivateKey(bytes)
        }
    } catch {
        // Apple's texts.
        let family = type == .rsa ? "RSA" : "EC"
        let half = side == .privateKey ? "private" : "public"
        throw KeychainError(errSecParam, "\(family) \(half) key creation from data failed", underlying: error)
    }
}

/// The largest modulus that Apple's keys have, in bits.
private let largestModulus = 8192

private func rsaPublicKey(_ bytes: Data) throws -> any KeyMaterial {
    let key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes)
    guard key.keySizeInBits <= largestModulus else { throw KeyFailure.unsupported }
    return RSAPublicKeyMaterial(key: key)
}

private func rsaPrivateKey(_ bytes: Data) throws -> any KeyMaterial {
    let key = try _RSA.Signing.PrivateKey(unsafeDERRepresentation: bytes)
    guard key.keySizeInBits <= largestModulus else { throw KeyFailure.unsupported }
    return RSAPrivateKeyMaterial(key: key)
}

/// The length tells the curve: a byte for the form, then two coordinates.
private func curvePublicKey(_ bytes: Data) throws -> any KeyMaterial {
    switch bytes.count {
    case 1 + 2 * 32: CurvePublicKeyMaterial(key: try P256.Signing.PublicKey(x963Representation: bytes))
    case 1 + 2 * 48: CurvePublicKeyMaterial(key: try P384.Signing.PublicKey(x963Representation: bytes))
    case 1 + 2 * 66: CurvePublicKeyMaterial(key: try P521.Signing.PublicKey(x963Representation: bytes))
    default: throw KeyFailure.unsupported
    }
}

/// As for the public key, with the private number at the end.
private func curvePrivateKey(_ bytes: Data) throws -> any KeyMaterial {
    switch bytes.count {
    case 1 + 3 * 32: CurvePrivateKeyMaterial(key: try P256.Signing.PrivateKey(x963Representation: bytes))
    case 1 + 3 * 48: CurvePrivateKeyMaterial(key: try P384.Signing.PrivateKey(x963Representation: bytes))
    case 1 + 3 * 66: CurvePrivateKeyMaterial(key: try P521.Signing.PrivateKey(x963Representation: bytes))
    default: throw KeyFailure.unsupported
    }
}

/// Makes a new private key.
///
/// - Throws: `errSecKeySizeNotAllowed` for a size that the type of key does not have.
func newKeyMaterial(_ type: KeyType, sizeInBits: Int?) throws(KeychainError) -> any KeyMaterial {
    switch (type, sizeInBits) {
    case (.ellipticCurve, 256): return CurvePrivateKeyMaterial(key: P256.Signing.PrivateKey())
    case (.ellipticCurve, 384): return CurvePrivateKeyMaterial(key: P384.Signing.PrivateKey())
    case (.ellipticCurve, 521): return CurvePrivateKeyMaterial(key: P521.Signing.PrivateKey())
    case (.rsa, .some(let size)) where size >= 1024 && size <= largestModulus && size.isMultiple(of: 8):
        do {
            return RSAPrivateKeyMaterial(key: try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: size)))
        } catch {
            throw KeychainError(errSecInternalComponent, "the key could not be made", underlying: error)
        }
    default: throw KeychainError(errSecKeySizeNotAllowed, "failed to generate key")
    }
}

/// Reads the key of a certificate: its algorithm and bytes, in DER. Nil for kinds that are not there.
func keyMaterial(ofPublicKeyInfo info: Data) -> (any KeyMaterial)? {
    if let key = try? P256.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    if let key = try? P384.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    if let key = try? P521.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    return try? rsaPublicKey(info)
}

/// What is no key that there is here.
private enum KeyFailure: Error {
    case unsupported
}
