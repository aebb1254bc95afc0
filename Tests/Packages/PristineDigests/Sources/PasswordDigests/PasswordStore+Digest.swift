// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Passwords

extension PasswordStore {
    /// Gives a digest of an account's password, or `nil` if there is none.
    public func digest(for account: String) throws -> String? {
        try password(for: account).map { password in
            SHA256.hash(data: Data(password.utf8)).map { String(format: "%02x", $0) }.joined()
        }
    }
}
