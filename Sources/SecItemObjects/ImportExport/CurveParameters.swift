// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import SwiftASN1

/// The curves of keys, by their identifiers in files.
enum CurveParameters: CaseIterable {
    case p192
    case p224
    case p256
    case p384
    case p521

    var identifier: ASN1ObjectIdentifier {
        switch self {
        case .p192: [1, 2, 840, 10045, 3, 1, 1]
        case .p224: [1, 3, 132, 0, 33]
        case .p256: [1, 2, 840, 10045, 3, 1, 7]
        case .p384: [1, 3, 132, 0, 34]
        case .p521: [1, 3, 132, 0, 35]
        }
    }

    var coordinateSize: Int {
        switch self {
        case .p192: 24
        case .p224: 28
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    init?(_ identifier: ASN1ObjectIdentifier) {
        guard let curve = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = curve
    }

    init?(_ material: any KeyMaterial) {
        guard material.type == .ellipticCurve,
            let curve = Self.allCases.first(where: { $0.coordinateSize == material.blockSize })
        else { return nil }
        self = curve
    }

    /// The key with this private number.
    ///
    /// - Throws: `errSecDecode` for a number that is not valid on the curve.
    func privateKey(number bytes: ArraySlice<UInt8>) throws(KeychainError) -> any KeyMaterial {
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= coordinateSize else { throw .notDecodable("a private number is too large") }
        let number = Secret(count: coordinateSize) { room in
            UnsafeMutableRawBufferPointer(rebasing: room.suffix(digits.count)).copyBytes(from: digits)
        }
        do throws(KeychainError) {
            return try curveKeyMaterial(privateNumber: number)
        } catch {
            throw KeychainError(errSecDecode, "a private key is outside the range of its curve", underlying: error)
        }
    }
}
