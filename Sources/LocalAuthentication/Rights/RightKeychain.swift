// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// The keychain calls that a store of rights makes, as `SecItemAdd` and its companions have them.
package protocol RightKeychain: Sendable {
    func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    func delete(_ query: CFDictionary?) -> OSStatus

    /// Makes a pair of keys, as `SecKeyCreateRandomKey` does. Throws its error.
    func createRandomKey(_ parameters: CFDictionary) throws -> SecKey

    /// The private half of a guarded key without its secret, as ``KeychainCalls/closedKey(matching:)`` gives it.
    func closedKey(_ query: CFDictionary) throws -> SecKey

    /// Who asks the person for proofs.
    var authenticator: any PresenceAuthenticator { get }
}

struct ApplicationKeychain: RightKeychain {
    func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        SecItemAdd(attributes ?? [:], result)
    }

    func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        SecItemCopyMatching(query ?? [:], result)
    }

    func delete(_ query: CFDictionary?) -> OSStatus { SecItemDelete(query ?? [:]) }

    func createRandomKey(_ parameters: CFDictionary) throws -> SecKey {
        var error: Unmanaged<CFError>?
        if let key = SecKeyCreateRandomKey(parameters, &error) { return key }
        throw error?.takeRetainedValue() ?? RightError.ofStatus(errSecInternalError)
    }

    func closedKey(_ query: CFDictionary) throws -> SecKey {
        try LinuxKeychain.closedKey(matching: query)
    }

    var authenticator: any PresenceAuthenticator { LinuxKeychain.presenceAuthenticator }
}
