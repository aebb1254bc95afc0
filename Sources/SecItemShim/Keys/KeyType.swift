// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The supported types of keys.
package enum KeyType: Int, CaseIterable, Sendable {
    case rsa
    case ellipticCurve

    /// Apple's constant for the type, whose text is a number.
    var constant: CFString {
        switch self {
        case .rsa: kSecAttrKeyTypeRSA
        case .ellipticCurve: kSecAttrKeyTypeECSECPrimeRandom
        }
    }

    /// The value of an item's `kSecAttrKeyType`.
    var number: Int64? { Int64(constant as String) }

    /// The type whose constant is that number; nil if there is none.
    init?(_ number: Int64?) {
        // Not a search of `allCases`: Swift would make a type for that, and a fork does not wait for it.
        switch number {
        case .some(Self.rsa.number): self = .rsa
        case .some(Self.ellipticCurve.number): self = .ellipticCurve
        default: return nil
        }
    }
}
