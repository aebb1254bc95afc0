// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import SecItemStore

/// Reads the external representation of a key.
///
/// - Throws: `errSecParam` if the bytes are not such a key.
package func keyMaterial(
    _ type: KeyType, _ side: KeyRequest.Side, from secret: Secret
) throws(KeychainError) -> any KeyMaterial {
    do {
        return try secret.withUnsafeBytes { bytes in
            switch (type, side) {
            case (.rsa, .publicKey): try rsaPublicKey(bytes)
            case (.rsa, .privateKey): try rsaPrivateKey(bytes)
            case (.ellipticCurve, .publicKey): try curvePublicKey(bytes)
            case (.ellipticCurve, .privateKey): try curvePrivateKey(bytes)
            }
        }
    } catch {
        // Apple's texts.
        let family = type == .rsa ? "RSA" : "EC"
        let half = side == .privateKey ? "private" : "public"
        throw KeychainError(errSecParam, "\(family) \(half) key creation from data failed", underlying: error)
    }
}

/// The largest modulus that Apple's keys support, in bits.
private let largestModulus = 8192

private func rsaPublicKey(_ bytes: UnsafeRawBufferPointer) throws -> any KeyMaterial {
    let key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes)
    guard key.keySizeInBits <= largestModulus else { throw KeyFailure.unsupported }
    return RSAPublicKeyMaterial(key: key)
}

/// Whether the bytes look like PKCS #8. After the version, of one byte, PKCS #8 has a sequence and PKCS #1 a number.
private func isPrivateKeyInfo(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 2 else { return false }
    let lengthSize = bytes[1] < 0x80 ? 1 : 1 + Int(bytes[1] & 0x7f)
    let second = 1 + lengthSize + 3
    return second < bytes.count && bytes[second] == 0x30
}

private func rsaPrivateKey(_ bytes: UnsafeRawBufferPointer) throws -> any KeyMaterial {
    // swift-crypto would read it, and Apple's functions do not.
    guard !isPrivateKeyInfo(bytes) else { throw KeyFailure.unsupported }
    let key = try _RSA.Signing.PrivateKey(unsafeDERRepresentation: bytes)
    guard key.keySizeInBits <= largestModulus else { throw KeyFailure.unsupported }
    return RSAPrivateKeyMaterial(key: key)
}

/// The length identifies the curve: a byte for the format, and two coordinates.
private func curvePublicKey(_ bytes: UnsafeRawBufferPointer) throws -> any KeyMaterial {
    switch bytes.count {
    case 1 + 2 * 24: try SmallCurvePublicKeyMaterial(.p192, point: Data(bytes))
    case 1 + 2 * 28: try SmallCurvePublicKeyMaterial(.p224, point: Data(bytes))
    case 1 + 2 * 32: CurvePublicKeyMaterial(key: try P256.Signing.PublicKey(x963Representation: bytes))
    case 1 + 2 * 48: CurvePublicKeyMaterial(key: try P384.Signing.PublicKey(x963Representation: bytes))
    case 1 + 2 * 66: CurvePublicKeyMaterial(key: try P521.Signing.PublicKey(x963Representation: bytes))
    default: throw KeyFailure.unsupported
    }
}

/// As for the public key, followed by the private number.
private func curvePrivateKey(_ bytes: UnsafeRawBufferPointer) throws -> any KeyMaterial {
    switch bytes.count {
    case 1 + 3 * 24: try SmallCurvePrivateKeyMaterial(.p192, x963: bytes)
    case 1 + 3 * 28: try SmallCurvePrivateKeyMaterial(.p224, x963: bytes)
    case 1 + 3 * 32: CurvePrivateKeyMaterial(key: try P256.Signing.PrivateKey(x963Representation: bytes))
    case 1 + 3 * 48: CurvePrivateKeyMaterial(key: try P384.Signing.PrivateKey(x963Representation: bytes))
    case 1 + 3 * 66: CurvePrivateKeyMaterial(key: try P521.Signing.PrivateKey(x963Representation: bytes))
    default: throw KeyFailure.unsupported
    }
}

/// Makes a new private key.
///
/// - Throws: `errSecKeySizeNotAllowed` if the type of key does not have that size.
package func newKeyMaterial(_ type: KeyType, sizeInBits: Int?) throws(KeychainError) -> any KeyMaterial {
    do {
        switch (type, sizeInBits) {
        case (.ellipticCurve, 192): return try SmallCurvePrivateKeyMaterial(.p192)
        case (.ellipticCurve, 224): return try SmallCurvePrivateKeyMaterial(.p224)
        case (.ellipticCurve, 256): return CurvePrivateKeyMaterial(key: P256.Signing.PrivateKey())
        case (.ellipticCurve, 384): return CurvePrivateKeyMaterial(key: P384.Signing.PrivateKey())
        case (.ellipticCurve, 521): return CurvePrivateKeyMaterial(key: P521.Signing.PrivateKey())
        case (.rsa, .some(let size)) where size >= 1024 && size <= largestModulus && size.isMultiple(of: 8):
            return RSAPrivateKeyMaterial(key: try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: size)))
        default:
            throw KeychainError(errSecKeySizeNotAllowed, "the size is missing, or none that keys of this type have")
        }
    } catch let error as KeychainError {
        throw error
    } catch {
        throw KeychainError(errSecInternalComponent, "the key could not be made", underlying: error)
    }
}

/// Makes the private key with that number, which has as many bytes as a coordinate.
///
/// - Throws: `errSecParam` if the number is not valid on the curve.
func curveKeyMaterial(privateNumber secret: Secret) throws(KeychainError) -> any KeyMaterial {
    do {
        return try secret.withUnsafeBytes { number in
            switch number.count {
            case 24: try SmallCurvePrivateKeyMaterial(.p192, privateNumber: secret)
            case 28: try SmallCurvePrivateKeyMaterial(.p224, privateNumber: secret)
            case 32: CurvePrivateKeyMaterial(key: try P256.Signing.PrivateKey(rawRepresentation: number))
            case 48: CurvePrivateKeyMaterial(key: try P384.Signing.PrivateKey(rawRepresentation: number))
            case 66: CurvePrivateKeyMaterial(key: try P521.Signing.PrivateKey(rawRepresentation: number))
            default: throw KeyFailure.unsupported
            }
        }
    } catch {
        throw KeychainError(errSecParam, "a private key is outside the range of its curve", underlying: error)
    }
}

/// Reads the public key of a certificate: its algorithm and bytes, in DER. Nil if the type is not supported.
package func keyMaterial(ofPublicKeyInfo info: Data) -> (any KeyMaterial)? {
    if let key = try? P256.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    if let key = try? P384.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    if let key = try? P521.Signing.PublicKey(derRepresentation: info) { return CurvePublicKeyMaterial(key: key) }
    if let key = smallCurveKey(info) { return key }
    return try? info.withUnsafeBytes(rsaPublicKey)
}

private func smallCurveKey(_ info: Data) -> (any KeyMaterial)? {
    var reader = BERReader([UInt8](info)[...])
    guard let value = try? reader.next(BERTag.sequence) else { return nil }
    let key = try? KeyFormat.publicKeyInfo.key(value)
    return key?.type == .ellipticCurve ? key : nil
}

private enum KeyFailure: Error {
    case unsupported
}
