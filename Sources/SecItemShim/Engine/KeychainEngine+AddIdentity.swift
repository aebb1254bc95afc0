// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Stores those halves of an identity that do not exist yet, both or neither. Nobody is asked for a password in vain.
    ///
    /// - Parameter isAsked: Whether an existing key is protected as the caller requested.
    /// - Returns: The identity, represented by the halves that exist now.
    /// - Throws: `errSecDuplicateItem` if both existed, or if the key exists with another protection than requested.
    func insert(
        _ identity: FoundItem, _ asking: Asking, isAsked: (ItemRecord) -> Bool
    ) throws(KeychainError) -> FoundItem {
        guard let key = identity.privateKey else { throw .param("the identity has no private key") }
        let interaction = asking.interaction
        let password = newPassword(asking)
        if interaction == .allowed, !password.isAtHand, try demandPassword(identity.halves) {
            let missing = try missing(of: identity.halves, interaction, isAsked)
            if missing.isEmpty { throw KeychainError(errSecDuplicateItem, "both halves of the identity exist") }
        }
        let halves = [try password.sealed(identity.record), try password.sealed(key)]
        var missing = halves
        // Another program may add or delete a half in between.
        for _ in 0..<Self.attempts {
            do throws(KeychainError) {
                try insertOverTombstones(missing, interaction)
                guard let twin = try twin(of: identity.record, except: missing, interaction) else { return identity }
                var found = FoundItem(twin, privateKey: key)
                // The existing key may be guarded. The caller gets back the secrets that they passed.
                if twin.isConstrained { found.record.secrets = identity.record.secrets }
                found.live = identity.live
                return found
            } catch  where error.status == errSecDuplicateItem {
                missing = try self.missing(of: halves, interaction, isAsked)
                if missing.isEmpty { throw error }
            }
        }
        throw KeychainError(
            errSecDuplicateItem, "other programs keep changing one half of the identity, or it is damaged")
    }

    private static var attempts: Int { 3 }

    /// The halves of an identity that do not exist yet.
    ///
    /// - Throws: `errSecDuplicateItem` if the key exists with another protection than requested.
    private func missing(
        of halves: [ItemRecord], _ interaction: Interaction, _ isAsked: (ItemRecord) -> Bool
    ) throws(KeychainError) -> [ItemRecord] {
        var missing: [ItemRecord] = []
        for half in halves {
            guard let twin = try twin(of: half, except: [], interaction) else {
                missing.append(half)
                continue
            }
            if twin.itemClass == .key, !isAsked(twin) { throw .otherProtection }
        }
        return missing
    }

    /// Adds an item, unless it exists already.
    ///
    /// - Parameter password: The password of all items of the call.
    /// - Throws: `errSecDuplicateItem` if a key exists with another protection than requested; otherwise as
    ///   ``add(_:)-(NewItem)``.
    func addUnlessThere(_ item: NewItem, _ password: ItemPassword) throws(KeychainError) {
        do throws(KeychainError) {
            try insert([record(of: item)], password, item.interaction)
        } catch  where error.status == errSecDuplicateItem {
            guard item.itemClass == .key else { return }
            guard let twin = try twin(of: record(of: item), except: [], item.interaction), twin.isProtected(as: item)
            else { throw .otherProtection }
        }
    }

    /// The item with the same primary key as a record, unless it is the record that was just added.
    private func twin(
        of record: ItemRecord, except added: [ItemRecord], _ interaction: Interaction
    ) throws(KeychainError) -> ItemRecord? {
        if added.contains(where: { $0.reference == record.reference }) { return nil }
        return try records(RecordFilter(twinOf: record), [.attributes, .secrets], limit: 1, interaction).first
    }
}

extension ItemRecord {
    /// Whether a key has the protection that the caller requested. Attributes that the caller does not name may differ.
    func isProtected(as item: NewItem) -> Bool {
        if let asked = item.attributes[.accessible]?.string, asked != accessible.rawValue { return false }
        // Conditions that cannot be read are never the requested ones.
        if let asked = item.constraints, (try? constraints)?.flags != asked { return false }
        // Under which password it is, only that password tells.
        if item.constraints?.contains(.applicationPassword) == true { return false }
        let asked = KeyPermissions(item.attributes, isPrivate: true)
        return KeyPermissions(attributes, isPrivate: true).isAsStrict(as: asked)
    }
}

extension KeychainError {
    fileprivate static var otherProtection: KeychainError {
        KeychainError(errSecDuplicateItem, "the key exists already, with another protection than requested")
    }
}
