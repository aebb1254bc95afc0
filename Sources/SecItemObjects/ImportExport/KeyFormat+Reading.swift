// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SwiftASN1

// The forms of keys in files: PKCS #1, SEC 1, PKCS #8 and the form in certificates.

/// The form of a key in a file, which its outermost value shows.
enum KeyFormat {
    /// PKCS #1 for RSA, SEC 1 for curves: a private key without its algorithm.
    case traditional
    /// PKCS #8, not encrypted.
    case privateKeyInfo
    /// A public key with its algorithm, as certificates have it.
    case publicKeyInfo
    /// PKCS #1: the public half of an RSA key.
    case rsaPublicKey
}

extension KeyFormat {
    /// Reads a key.
    ///
    /// - Throws: `errSecDecode` for bytes that are not such a key. `errSecUnsupportedKeyFormat` for a key that is
    ///   neither RSA nor on one of the curves P-192, P-224, P-256, P-384 and P-521.
    func key(_ value: BERValue) throws(KeychainError) -> any KeyMaterial {
        switch self {
        case .traditional: try Self.traditionalKey(value)
        case .privateKeyInfo: try Self.privateKey(info: value)
        case .publicKeyInfo: try Self.publicKey(info: value)
        case .rsaPublicKey: try Self.rsaKey(.publicKey, value.encoding)
        }
    }

    private static func rsaKey(
        _ side: KeyRequest.Side, _ bytes: ArraySlice<UInt8>
    ) throws(KeychainError) -> any KeyMaterial {
        do throws(KeychainError) {
            return try keyMaterial(.rsa, side, from: bytes.withUnsafeBytes { Secret(copying: $0) })
        } catch {
            throw KeychainError(errSecDecode, "an RSA key cannot be read", underlying: error)
        }
    }

    private static func traditionalKey(_ value: BERValue) throws(KeychainError) -> any KeyMaterial {
        var parts = value.parts
        // SEC 1 has version 1 and then a string. PKCS #1 has a number there.
        let version = try parts.next().number()
        let second = try parts.next()
        return version == 1 && second.tag == BERTag.octetString
            ? try curveKey(value, curve: nil) : try rsaKey(.privateKey, value.encoding)
    }

    private static func privateKey(info value: BERValue) throws(KeychainError) -> any KeyMaterial {
        var parts = value.parts
        _ = try parts.next().number()
        let (kind, parameters) = try algorithm(parts.next(BERTag.sequence))
        let bytes = try parts.next().octets()
        switch kind {
        case .rsaKey: return try rsaKey(.privateKey, bytes)
        case .curveKey:
            var inner = BERReader(bytes)
            return try curveKey(inner.next(BERTag.sequence), curve: parameters.map(curve))
        default: throw unsupported
        }
    }

    private static func publicKey(info value: BERValue) throws(KeychainError) -> any KeyMaterial {
        var parts = value.parts
        let (kind, parameters) = try algorithm(parts.next(BERTag.sequence))
        let bits = try parts.next(BERTag.bitString).content
        guard bits.first == 0 else { throw .notDecodable("a key is no whole number of bytes") }
        switch kind {
        case .rsaKey: return try rsaKey(.publicKey, bits.dropFirst())
        case .curveKey:
            guard let parameters else { throw unsupported }
            let curve = try curve(parameters)
            guard bits.count == 2 + 2 * curve.coordinateSize else { throw unsupported }
            do throws(KeychainError) {
                return try keyMaterial(
                    .ellipticCurve, .publicKey, from: bits.dropFirst().withUnsafeBytes { Secret(copying: $0) })
            } catch {
                throw KeychainError(errSecDecode, "a point is not on its curve", underlying: error)
            }
        default: throw unsupported
        }
    }

    private static func algorithm(
        _ value: BERValue
    ) throws(KeychainError) -> (kind: ASN1ObjectIdentifier, parameters: BERValue?) {
        var parts = value.parts
        let kind = try parts.next().identifier()
        return (kind, parts.isAtEnd ? nil : try parts.next())
    }

    private static func curve(_ value: BERValue) throws(KeychainError) -> CurveParameters {
        guard value.tag == BERTag.identifier, let curve = CurveParameters(try value.identifier()) else {
            throw unsupported
        }
        return curve
    }

    /// Reads SEC 1. The curve may be named in the value or outside it.
    private static func curveKey(
        _ value: BERValue, curve outer: CurveParameters?
    ) throws(KeychainError) -> any KeyMaterial {
        var parts = value.parts
        guard try parts.next().number() == 1 else { throw .notDecodable("a key has an unknown version") }
        let number = try parts.next(BERTag.octetString).octets()
        var inner: CurveParameters?
        if var named = try parts.nextIfAny(BERTag.tagged0)?.parts { inner = try curve(named.next()) }
        guard let curve = inner ?? outer else { throw unsupported }
        guard outer == nil || outer == curve else { throw .notDecodable("a key names two curves") }
        let key = try curve.privateKey(number: number)
        if var point = try parts.nextIfAny(BERTag.tagged1)?.parts {
            let bits = try point.next(BERTag.bitString).content
            // A compressed point is not checked.
            guard bits.count != 2 + 2 * curve.coordinateSize || key.publicRepresentation == Data(bits.dropFirst())
            else { throw .notDecodable("the halves of a key do not belong together") }
        }
        return key
    }

    private static let unsupported = KeychainError(
        errSecUnsupportedKeyFormat, "the key is neither an RSA key nor on a supported curve")
}
