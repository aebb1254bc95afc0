// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys of the parameter dictionary of `SecKeyCopyKeyExchangeResult`.

import Foundation

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, @unchecked Sendable {
    /// Apple's identifier.
    public let rawValue: CFString

    /// Makes a value of an identifier, without a check that it is known.
    public init(rawValue: CFString) {
        self.rawValue = rawValue
    }

    /// How many bytes to derive. Number.
    public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")

    /// Bytes that both parties mix into the derivation. Data.
    public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
