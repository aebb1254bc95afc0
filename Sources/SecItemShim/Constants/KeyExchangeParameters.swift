// Keys of the parameter dictionary of `SecKeyCopyKeyExchangeResult`.

import Foundation

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, @unchecked Sendable {
    /// The key in the parameter dictionary.
    public let rawValue: CFString

    /// Makes a parameter of a key in the dictionary.
    public init(rawValue: CFString) {
        self.rawValue = rawValue
    }
}

extension SecKeyKeyExchangeParameter {
    /// How many bytes to derive. Number.
    public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")

    /// Bytes both sides mix into the derivation. Data.
    public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}
