// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The families of keys that there are.
package enum KeyType: CaseIterable, Sendable {
    case rsa
    case ellipticCurve

    /// Apple's constant for the family, whose text is a number.
    var constant: CFString {
        switch self {
        case .rsa: kSecAttrKeyTypeRSA
        case .ellipticCurve: kSecAttrKeyTypeECSECPrimeRandom
        }
    }

    /// What an item's `kSecAttrKeyType` holds.
    var number: Int64? { Int64(constant as String) }

    /// The family whose constant has that number; nil for a number that no family has.
    init?(_ number: Int64?) {
        guard let number, let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }
}
