// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// The four calls on one store for one application. Each has three steps: parse, run, shape.
///
/// Every error becomes an `OSStatus` here, and its cause goes to the log (``CallLog``).
package struct KeychainCalls: Sendable {
    /// Gives the store, and opens it if necessary, which may prompt if the query allows it.
    package typealias Opening = @Sendable (Interaction) throws(KeychainError) -> any KeychainStore

    private let application: ClientApplication
    private let opening: Opening
    /// Prompts for guarded items. Nil for the authenticator that the application has chosen at that time.
    private let authenticator: (any PresenceAuthenticator)?
    private let passwordCost: ScryptCost
    /// Whether the calls also take what only macOS's file-based keychain takes, as those of programs in C do.
    fileprivate var takesFileKeychainForms = false

    /// Makes the calls of an application on a store that is opened after a call has read its query.
    package init(
        application: ClientApplication, authenticator: (any PresenceAuthenticator)? = nil,
        passwordCost: ScryptCost = .standard, opening: @escaping Opening
    ) {
        self.authenticator = authenticator
        self.passwordCost = passwordCost
        self.application = application
        self.opening = opening
    }

    /// Makes the calls on an open store.
    package init(
        store: any KeychainStore, application: ClientApplication, authenticator: (any PresenceAuthenticator)? = nil,
        passwordCost: ScryptCost = .standard
    ) {
        self.init(
            application: application, authenticator: authenticator, passwordCost: passwordCost
        ) { (_) throws(KeychainError) in store }
    }

    func engine(_ interaction: Interaction) throws(KeychainError) -> KeychainEngine {
        KeychainEngine(
            store: try opening(interaction), application: application,
            authenticator: authenticator, passwordCost: passwordCost)
    }

    package func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        CallLog.status(of: "SecItemAdd") { () throws(KeychainError) in
            write(try add(item: attributes), to: result)
        }
    }

    /// `SecItemAdd`, with the reason of a failure.
    package func add(item attributes: CFDictionary?) throws(KeychainError) -> CFTypeRef? {
        let dictionary = try admitted(attributes)
        let addition = try Addition(parsing: takesFileKeychainForms ? dictionary.withDataForText : dictionary)
        let added = try engine(addition.interaction).add(addition)
        return addition.shape.render(added: added)
    }

    package func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        CallLog.status(of: "SecItemCopyMatching") { () throws(KeychainError) in
            write(try copy(matching: query), to: result)
        }
    }

    /// `SecItemCopyMatching`, with the reason of a failure.
    package func copy(matching query: CFDictionary?) throws(KeychainError) -> CFTypeRef? {
        let query = try ItemQuery(parsing: admitted(query), for: .copyMatching)
        let items = try engine(query.interaction).copyMatching(query)
        if takesFileKeychainForms, let references = query.shape.references(to: items) { return references }
        return query.shape.render(items)
    }

    /// The private half of a guarded key without its secret, which asks nobody: see ``KeychainEngine/closedKey(_:)``.
    package func closedKey(matching query: CFDictionary) throws(KeychainError) -> SecKey {
        let query = try ItemQuery(parsing: admitted(query), for: .copyMatching)
        return try engine(query.interaction).closedKey(query)
    }

    package func update(_ query: CFDictionary?, _ attributesToUpdate: CFDictionary?) -> OSStatus {
        CallLog.status(of: "SecItemUpdate") { () throws(KeychainError) in
            try update(matching: query, with: attributesToUpdate)
        }
    }

    /// `SecItemUpdate`, with the reason of a failure.
    package func update(
        matching query: CFDictionary?, with attributesToUpdate: CFDictionary?
    ) throws(KeychainError) {
        let query = try ItemQuery(parsing: admitted(writing: query), for: .update)
        let dictionary = try admitted(changes: attributesToUpdate)
        let changes = try ItemChanges(
            parsing: takesFileKeychainForms ? dictionary.without(query.itemClass) : dictionary, of: query.itemClass)
        try engine(query.interaction).update(query, with: changes)
    }

    package func delete(_ query: CFDictionary?) -> OSStatus {
        CallLog.status(of: "SecItemDelete") { () throws(KeychainError) in
            try delete(matching: query)
        }
    }

    /// `SecItemDelete`, with the reason of a failure.
    package func delete(matching query: CFDictionary?) throws(KeychainError) {
        let query = try ItemQuery(parsing: admitted(writing: query), for: .delete)
        try engine(query.interaction).delete(query)
    }

    /// Moves the items of another identifier to this application: see ``LinuxKeychain/adopt(itemsOf:)``.
    package func adopt(itemsOf identifier: String) throws(KeychainError) -> Int {
        try engine(.allowed).adopt(itemsOf: identifier)
    }

    /// The checks that Apple's keychain makes before it reads a query.
    private func admitted(_ dictionary: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try CallerDictionary(dictionary)
        try ForbiddenAttributes.check(dictionary)
        try application.requireGroups()
        return takesFileKeychainForms ? dictionary.withBooleansForNumbers : dictionary
    }

    private func admitted(writing query: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try admitted(query)
        try application.requireWritableGroup(in: dictionary)
        return dictionary
    }

    private func admitted(changes: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try CallerDictionary(changes)
        try ForbiddenAttributes.check(dictionary, isUpdate: true)
        return dictionary
    }

    private func write(_ object: CFTypeRef?, to result: UnsafeMutablePointer<CFTypeRef?>?) {
        if let result, let object { result.pointee = object }
    }
}

/// Runs one call on the default store. The call opens the store after it has read its query.
///
/// - Parameter takesFileKeychainForms: Whether the call also takes what only macOS's file-based keychain takes.
package func withDefaultStore(
    takingFileKeychainForms takesFileKeychainForms: Bool = false, _ call: (KeychainCalls) -> OSStatus
) -> OSStatus {
    var calls = DefaultStore.shared.calls
    calls.takesFileKeychainForms = takesFileKeychainForms
    return call(calls)
}
