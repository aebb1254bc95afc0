// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

extension KeyFormat {
    /// Writes a key in DER. The result may be secret, so the caller wipes it.
    ///
    /// - Parameter bytes: The external representation of the key.
    /// - Throws: `errSecUnsupportedFormat` if the key has no such form.
    func bytes(of key: any KeyMaterial, _ bytes: [UInt8]) throws(KeychainError) -> [UInt8] {
        switch (self, key.type) {
        case (.traditional, .rsa) where key.isPrivate: return bytes
        case (.traditional, .ellipticCurve) where key.isPrivate: return try Self.sec1(key, bytes, namingCurve: true)
        case (.privateKeyInfo, _) where key.isPrivate: return try Self.privateKeyInfo(key, bytes)
        case (.publicKeyInfo, _) where !key.isPrivate: return try Self.publicKeyInfo(key, bytes)
        case (.rsaPublicKey, .rsa) where !key.isPrivate: return bytes
        default: throw KeychainError(errSecUnsupportedFormat, "this format cannot hold keys of this type")
        }
    }

    private static func sec1(
        _ key: any KeyMaterial, _ bytes: [UInt8], namingCurve: Bool
    ) throws(KeychainError) -> [UInt8] {
        let curve = try curve(of: key)
        let point = bytes.prefix(1 + 2 * curve.coordinateSize)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(1)
                serializer.octets(bytes.suffix(curve.coordinateSize))
                if namingCurve { try serializer.tagged(0) { try $0.serialize(curve.identifier) } }
                try serializer.tagged(1) { $0.bits(point) }
            }
        }
    }

    private static func privateKeyInfo(_ key: any KeyMaterial, _ bytes: [UInt8]) throws(KeychainError) -> [UInt8] {
        let isRSA = key.type == .rsa
        var curveKey = isRSA ? [] : try sec1(key, bytes, namingCurve: false)
        defer { curveKey.wipe() }
        let algorithm = try algorithm(of: key)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(0)
                serializer.serializeRawBytes(algorithm)
                serializer.octets(isRSA ? bytes : curveKey)
            }
        }
    }

    private static func publicKeyInfo(_ key: any KeyMaterial, _ bytes: [UInt8]) throws(KeychainError) -> [UInt8] {
        let algorithm = try algorithm(of: key)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                serializer.serializeRawBytes(algorithm)
                serializer.bits(bytes)
            }
        }
    }

    private static func algorithm(of key: any KeyMaterial) throws(KeychainError) -> [UInt8] {
        let curve = key.type == .rsa ? nil : try curve(of: key)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(curve == nil ? ASN1ObjectIdentifier.rsaKey : .curveKey)
                if let curve {
                    try serializer.serialize(curve.identifier)
                } else {
                    try serializer.serialize(ASN1Null())
                }
            }
        }
    }

    private static func curve(of key: any KeyMaterial) throws(KeychainError) -> CurveParameters {
        guard let curve = CurveParameters(key) else {
            throw KeychainError(errSecUnsupportedFormat, "the format has no name for the key's curve")
        }
        return curve
    }
}

extension SecKey {
    /// Lends the bytes of the key for an export, and wipes them afterwards.
    ///
    /// - Throws: `errSecKeyIsSensitive` for a key that must not be exported, and the error of `body`.
    func withBytesToExport<R>(_ body: ([UInt8]) throws(KeychainError) -> R) throws(KeychainError) -> R {
        guard let data = SecKeyCopyExternalRepresentation(self, nil) else {
            throw KeychainError(errSecKeyIsSensitive, "the key may not be exported")
        }
        // The data wipes its own bytes.
        var bytes = Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))
        defer { bytes.wipe() }
        return try body(bytes)
    }
}
