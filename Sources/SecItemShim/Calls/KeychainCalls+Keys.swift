// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainCalls {
    /// Makes a pair of keys, and stores those that should be permanent. If only one of two can be stored, it is deleted
    /// again.
    ///
    /// - Throws: The errors of `SecKeyCreateRandomKey`.
    package func makeKeys(
        _ parameters: CFDictionary
    ) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        // The items are looked at here too: Swift creates what that needs at the first use.
        let new = try FirstUse.attempting(#function) { () throws(KeychainError) in try newKeys(parameters) }
        guard let first = new.first else { return (new.publicKey, new.privateKey) }
        // A password would be asked for, or cost a second.
        if !new.hasPassword { Self.rehearseStoring(new.items, as: first, new.privateKey) }
        guard let guarding = try store(new.items, as: first) else { return (new.publicKey, new.privateKey) }
        return (new.publicKey, new.privateKey.guarded(by: guarding))
    }

    /// A pair of keys, and the items to store. It is no tuple, because a caller makes the type of a tuple before the call.
    private struct NewKeys {
        let publicKey: SecKey
        let privateKey: SecKey
        let items: [NewItem]
        let first: NewItem?
        let hasPassword: Bool
    }

    private func newKeys(_ parameters: CFDictionary) throws(KeychainError) -> NewKeys {
        let request = try KeyRequest(parameters)
        let permanent = try PermanentKeys(parameters)
        let pair = try permanent.pair(of: newMaterial(request))
        // The conditions apply to a key of the chip whether it is stored or not.
        if request.token != nil { try permanent.check(pair.privateKey) }
        let items = try permanent.items(of: pair)
        let hasPassword = items.contains { $0.constraints?.contains(.applicationPassword) == true }
        return NewKeys(
            publicKey: pair.publicKey, privateKey: pair.privateKey, items: items, first: items.first,
            hasPassword: hasPassword)
    }

    /// Stores the first permanent keys of the process in a store that nobody sees, while forks wait. Swift creates what that
    /// needs, and the store that the application uses may ask somebody meanwhile.
    private static func rehearseStoring(_ items: [NewItem], as first: NewItem, _ key: SecKey) {
        FirstUse.performing("storing permanent keys") {
            let calls = KeychainCalls(
                store: InMemoryStore(), application: ClientApplication(identifier: "rehearsal"),
                authenticator: NoAuthenticator())
            // Fingers are not enrolled here, so an item that is bound to them is refused.
            if let guarding = try? calls.stored(items, as: first) { _ = key.guarded(by: guarding) }
        }
    }

    private func newMaterial(_ request: KeyRequest) throws(KeychainError) -> any KeyMaterial {
        switch request.token {
        case nil: try newKeyMaterial(request.type, sizeInBits: request.sizeInBits)
        case .chip: try ChipKeyMaterial(new: request.type, sizeInBits: request.sizeInBits)
        case .other: throw .unimplemented("keys cannot be made in this token")
        }
    }

    /// - Parameter first: One of the items. Both come from the same call, so one store may ask for both.
    /// - Returns: The guard that opens the private key for its object, if its item is guarded.
    private func store(_ items: [NewItem], as first: NewItem) throws(KeychainError) -> KeyGuard? {
        do throws(KeychainError) {
            return try stored(items, as: first)
        } catch {
            Self.log(error, of: "SecKeyCreateRandomKey")
            throw error
        }
    }

    private func stored(_ items: [NewItem], as first: NewItem) throws(KeychainError) -> KeyGuard? {
        let engine = try engine(first.interaction)
        let records = try engine.add(all: items)
        return zip(records, items).lazy.compactMap { engine.keyGuard(of: $0, $1.asking) }.first
    }
}
