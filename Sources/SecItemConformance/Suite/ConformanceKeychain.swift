// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemShim
import SecItemStore

/// The four calls on a store under test, made by an application with a given name.
public struct ConformanceKeychain: Sendable {
    /// The store under test.
    public let store: any KeychainStore
    private let calls: KeychainCalls

    /// The name of the application that runs the cases, which is also its default access group.
    public static let applicationIdentifier = "org.example.conformance"

    /// Makes the calls for an empty store.
    public init(store: any KeychainStore) {
        self.init(store: store, application: ClientApplication(identifier: Self.applicationIdentifier))
    }

    private init(store: any KeychainStore, application: ClientApplication) {
        self.store = store
        calls = KeychainCalls(
            store: store, application: application, authenticator: AskedPeople(), passwordCost: .lowest)
    }

    /// The calls on the same store, made by another application.
    public func application(_ identifier: String, entitledTo groups: [String]? = nil) -> ConformanceKeychain {
        ConformanceKeychain(
            store: store, application: ClientApplication(identifier: identifier, entitledGroups: groups)
        )
    }

    /// `SecItemAdd`.
    @discardableResult
    public func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>? = nil) -> OSStatus {
        calls.add(attributes, result)
    }

    /// `SecItemCopyMatching`.
    @discardableResult
    public func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>? = nil) -> OSStatus {
        calls.copyMatching(query, result)
    }

    /// `SecItemUpdate`.
    @discardableResult
    public func update(_ query: CFDictionary?, _ attributesToUpdate: CFDictionary?) -> OSStatus {
        calls.update(query, attributesToUpdate)
    }

    /// `SecItemDelete`.
    @discardableResult
    public func delete(_ query: CFDictionary?) -> OSStatus {
        calls.delete(query)
    }

    /// `SecKeyCreateRandomKey`. Throws the function's error.
    public func createRandomKey(_ parameters: CFDictionary) throws -> SecKey {
        try calls.makeKeys(parameters).privateKey
    }

    /// The private half of a guarded key without its secret.
    package func closedKey(_ query: CFDictionary) throws -> SecKey { try calls.closedKey(matching: query) }

    /// `SecPKCS12Import`.
    public func importPKCS12(
        _ file: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        calls.importPKCS12(file, options, items)
    }

    /// `LinuxKeychain.adopt(itemsOf:)`.
    public func adopt(itemsOf identifier: String) throws -> Int {
        try calls.adopt(itemsOf: identifier)
    }
}
