import Crypto
import Foundation

@testable import SecItemSQLite

extension KeySet {
    static let testKey = SymmetricKey(data: Data(repeating: 42, count: 32))

    static func plainHMAC(_ bytes: [UInt8], _ key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
}
