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
    package var number: Int64? { Int64(constant as String) }

    /// The type whose constant is that number; nil if there is none.
    package init?(_ number: Int64?) {
        guard let number, let type = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = type
    }
}
