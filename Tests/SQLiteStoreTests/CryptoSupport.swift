// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

@testable import SecItemSQLite
@testable import SecItemSealing

extension KeySet {
    static let testKey = Secret(Data(repeating: 42, count: 32))

    static func plainHMAC(_ bytes: [UInt8], _ key: Secret) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key.data())))
    }

    static func plainHKDF(_ key: Secret, salt: [UInt8], _ purpose: String) -> Data {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.data()), salt: salt, info: Array(purpose.utf8), outputByteCount: 32
        ).withUnsafeBytes { Data($0) }
    }
}
