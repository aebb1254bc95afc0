// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// How often to read records again if others change them during a prompt.
    static var presenceAttempts: Int { 5 }

    /// The items that a look-up finds, with the secrets that the caller may have.
    ///
    /// Attributes alone need no proof. Neither does an object for a guarded key, because the object asks for a proof at
    /// each use.
    ///
    /// - Throws: The errors of ``PresenceCheck/admits(_:)``; `errSecDecode` if all matching items are damaged.
    func usable(
        _ query: ItemQuery, in groups: [String]?, limit: Int?, _ check: inout PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        guard query.parts.contains(.secrets) else {
            return try find(query, in: groups, parts: query.parts, limit: limit)
        }
        for _ in 0..<Self.presenceAttempts {
            let found = try readable(query, in: groups, limit: limit, check)
            let wanted = found.flatMap(\.halves).filter { $0.isConstrained && query.givesOutSecret(of: $0) }
            if wanted.isEmpty { return found.map { $0.withoutGuardedSecrets(query) } }
            guard try check.admits(wanted) else { continue }
            return try opened(found, query, check)
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    /// The matching items, except those whose constraints cannot be read and, if the call skips prompts, those that
    /// need one. These do not count for the limit.
    private func readable(
        _ query: ItemQuery, in groups: [String]?, limit: Int?, _ check: PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        let skips = query.interaction == .skipped
        let condition = RecordCondition(on: .attributes) { record in
            guard record.isConstrained else { return true }
            guard record.hasReadableConstraints else { return false }
            guard skips, query.givesOutSecret(of: record) else { return true }
            do {
                return try record.demandedConstraints().map(check.needsNobody) ?? true
            } catch {
                return false
            }
        }
        if skips { return try find(query, in: groups, parts: query.parts, limit: limit, meeting: condition) }
        let found = try find(query, in: groups, parts: query.parts, limit: limit)
        if found.allSatisfy({ $0.halves.allSatisfy(\.hasReadableConstraints) }) { return found }
        let others = try find(query, in: groups, parts: query.parts, limit: limit, meeting: condition)
        if others.isEmpty { throw KeychainError(errSecDecode, "all matching items are damaged") }
        return others
    }

    /// The items, opened: without those of which the seal is damaged, unless that is all of them.
    private func opened(
        _ found: [FoundItem], _ query: ItemQuery, _ check: PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        var opened: [FoundItem] = []
        var damage: KeychainError?
        for item in found {
            do throws(KeychainError) {
                opened.append(try self.opened(item, query, check))
            } catch {
                guard error.status == errSecDecode else { throw error }
                KeychainCalls.logger.warning(
                    "an item's seal is damaged: it is left out",
                    metadata: ["item": "\(item.record.reference)", "reason": "\(error)"])
                damage = error
            }
        }
        if let damage, opened.isEmpty { throw damage }
        return opened
    }

    private func opened(
        _ item: FoundItem, _ query: ItemQuery, _ check: PresenceCheck
    ) throws(KeychainError) -> FoundItem {
        var item = item.withoutGuardedSecrets(query)
        item.record = try check.opened(item.record)
        if let key = item.privateKey { item.privateKey = try check.opened(key) }
        return item
    }

    /// The guard that opens a guarded key for its object; nil for a key that is not guarded.
    func keyGuard(of record: ItemRecord, _ asking: Asking) -> KeyGuard? {
        guard record.isGuardedPrivateKey, let publicKey = try? record.demandedConstraints()?.publicKey else {
            return nil
        }
        let reference = record.reference
        return KeyGuard { () throws(KeychainError) in try material(of: reference, publicKey, asking) }
    }

    private func material(
        of reference: PersistentReference, _ publicKey: Data, _ asking: Asking
    ) throws(KeychainError) -> any KeyMaterial {
        let filter = RecordFilter(
            itemClass: .key, reference: reference, accessGroups: try application.readableGroups(naming: nil))
        let interaction = asking.interaction == .skipped ? .forbidden : asking.interaction
        var check = PresenceCheck(asking, self)
        for _ in 0..<Self.presenceAttempts {
            guard let record = try records(filter, [.attributes, .secrets], limit: 1, interaction).first else {
                throw .itemNotFound()
            }
            guard try check.admits([record]) else { continue }
            let material = try check.opened(record).keyMaterial()
            guard material.isPrivate, material.publicRepresentation == publicKey else { throw .itemNotFound() }
            return material
        }
        throw .notAvailable("other programs keep changing the item: try again")
    }
}

extension ItemQuery {
    /// Whether the result contains the secrets of such a record.
    func givesOutSecret(of record: ItemRecord) -> Bool { kinds.contains(.data) || !record.isGuardedPrivateKey }
}

extension FoundItem {
    /// The item without the secrets of keys whose objects ask for a proof themselves.
    fileprivate func withoutGuardedSecrets(_ query: ItemQuery) -> FoundItem {
        var item = self
        if !query.givesOutSecret(of: record) { item.record = record.withoutSecrets }
        if let key = privateKey, !query.givesOutSecret(of: key) { item.privateKey = key.withoutSecrets }
        return item
    }
}

extension ItemRecord {
    fileprivate var withoutSecrets: ItemRecord {
        var record = self
        record.secrets = [:]
        record.guardedSecrets = nil
        return record
    }
}
