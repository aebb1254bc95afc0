// SPDX-License-Identifier: Apache-2.0

#if canImport(LocalAuthentication)
    import Foundation
    import LocalAuthentication

    extension PasswordStore {
        /// Whether the user can be asked for a fingerprint, a face or the passcode.
        public static func canAsk(_ context: LAContext = LAContext()) -> Bool {
            var error: NSError?
            return context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
        }

        /// Gives an account's password if that is possible without asking the user, or `nil` if there is none.
        public func passwordWithoutAsking(for account: String) throws -> String? {
            let context = LAContext()
            context.interactionNotAllowed = true
            let additions: [CFString: Any] = [kSecReturnData: true, kSecUseAuthenticationContext: context]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query(account).merging(additions) { $1 } as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            try PasswordError.check(status)
            return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
