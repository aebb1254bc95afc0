// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Makes the changes in every item that the query means, or in none.
    ///
    /// - Throws: `errSecItemNotFound` when the query means no item, `errSecDuplicateItem` when two items would be the
    ///   same, `errSecMissingEntitlement` for a group that is not the application's, `errSecParam` when a key that may not
    ///   leave could leave afterwards, or a guarded item would be synchronized; what asking for guarded items gives, where
    ///   the change is one of their data or protection (``PresenceCheck/admits(_:)``, ``PresenceCheck/opened(_:)``).
    func update(_ query: ItemQuery, with changes: ItemChanges) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        try check(changes)
        let targets = try sparingKeptKeys(
            targets(of: query, in: groups, setting: changes.attributes.keys), changes, query.interaction)
        var check = PresenceCheck(query.asking, self)
        for _ in 0..<Self.presenceAttempts {
            let plan = try steps(for: targets, changes, query.interaction, &check)
            let count = try asking { () throws(StoreError) in
                try store.update(plan.steps, interaction: query.interaction)
            }
            if count > 0 { return }
            // What was read has been changed meanwhile, and is read again.
            if !plan.holdsForWhatWasRead { throw .itemNotFound() }
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    /// The targets without the keys that the changes would let leave, or which the machine's chip has and the changes
    /// replace, synchronize or put under conditions. Not even an update that runs at the same time can make it one of those: the store looks at the
    /// condition when it makes the change.
    ///
    /// - Throws: `errSecParam` when there is such a key now.
    private func sparingKeptKeys(
        _ targets: [Target], _ changes: ItemChanges, _ interaction: Interaction
    ) throws(KeychainError) -> [Target] {
        let replacesKey =
            changes.secrets[.valueData] != nil || changes.attributes[.tokenID] != nil
            || changes.attributes[.synchronizable]?.integer == 1 || changes.setsConstraints
        guard
            replacesKey && targets.contains(where: { $0.filter.itemClass == .key })
                || KeyPermissions.couldAllowLeaving(changes.attributes)
        else { return targets }
        let isFreed = RecordCondition(on: .attributes) { record in
            var changed = record
            changed.attributes.merge(changes.attributes) { $1 }
            return !record.mayLeave && changed.mayLeave || replacesKey && record.isOfChip
        }
        let isOther = RecordCondition(on: .attributes) { !isFreed.holds(for: $0) }
        for target in targets where try !records(target.filter.meeting(isFreed), [], limit: 1, interaction).isEmpty {
            throw .param("an update cannot make a key extractable, nor change a key of the chip")
        }
        return targets.map { target in
            Target(
                filter: target.filter.meeting(isOther), unless: target.unless, greatestCount: target.greatestCount)
        }
    }

    private func check(_ changes: ItemChanges) throws(KeychainError) {
        if changes.attributes[.tokenID]?.isChip == true {
            throw .unimplemented("a key cannot be moved into the chip")
        }
        if case .set(let flags) = changes.constraints { _ = try newConstraints(flags) }
        if let group = changes.attributes[.accessGroup]?.string {
            _ = try application.groupForNewItem(naming: group)
        }
        if let accessible = changes.attributes[.accessible]?.string.flatMap(Accessible.init) {
            try checkProtection(accessible)
        }
    }
}
