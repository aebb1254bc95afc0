// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parameters of a key exchange.
struct KeyExchangeRequest {
    /// Far more than any key has. Apple's keychain sets no limit but memory.
    private static let mostBytes = 1 << 20

    let byteCount: Int
    let sharedInfo: Data

    /// - Throws: `errSecParam` for a missing or impossible size, and for shared information that is no data.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        let dictionary = try CallerDictionary(parameters)
        // A dictionary of Swift's may have the parameters themselves as keys.
        let typed = parameters as? [SecKeyKeyExchangeParameter: Any] ?? [:]
        let value = { (parameter: SecKeyKeyExchangeParameter) in
            dictionary[CallerText(parameter.rawValue as String)]
                ?? typed[parameter].map { CallerValue($0 as AnyObject) }
        }
        guard case .integer(let size)? = value(.requestedSize), size > 0, size <= Self.mostBytes else {
            throw .param("kSecKeyKeyExchangeParameterRequestedSize is missing")
        }
        byteCount = Int(size)
        switch value(.sharedInfo) {
        case nil: sharedInfo = Data()
        case .data(let data): sharedInfo = data.copiedData
        default: throw .param("ECDHKeyExchange wrong sharedInfo type (must be CFData/NSData)")
        }
    }
}
