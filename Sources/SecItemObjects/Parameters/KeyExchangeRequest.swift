// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parameters of a key exchange.
struct KeyExchangeRequest {
    /// Far more than any key needs. Apple's keychain sets no limit except memory.
    private static let mostBytes = 1 << 20

    let byteCount: Int
    let sharedInfo: Data

    /// - Throws: `errSecParam` if the size is missing or impossible, or if the shared information is not data.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        let dictionary = try CallerDictionary(parameters)
        let value = { (parameter: SecKeyKeyExchangeParameter) in
            dictionary[CallerText(parameter.rawValue as String)]
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
