// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Changes every item that matches the query, or none.
    ///
    /// - Throws: `errSecItemNotFound` if no item matches, `errSecDuplicateItem` if two items would have the same
    ///   primary key, `errSecMissingEntitlement` if the application may not use the group, `errSecParam` if the change
    ///   would make a key exportable or synchronize a guarded item. For guarded items, if the change affects their data
    ///   or protection, also the errors of ``PresenceCheck/admits(_:)`` and ``PresenceCheck/opened(_:)``.
    func update(_ query: ItemQuery, with changes: ItemChanges) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        try check(changes)
        let targets = try sparingKeptKeys(
            targets(of: query, in: groups, setting: changes.attributes.keys), changes, query.interaction)
        var check = PresenceCheck(query.asking, self)
        for _ in 0..<Self.presenceAttempts {
            let plan = try steps(for: targets, changes, query.interaction, &check)
            let count = try forClient { () throws(StoreError) in
                try store.update(plan.steps, interaction: query.interaction)
            }
            if count > 0 { return }
            // Others have changed an item meanwhile, so it is read again.
            if !plan.holdsForWhatWasRead { throw .itemNotFound() }
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    /// The targets without two sorts of keys: those that the changes would make exportable, and those in the machine's
    /// chip that the changes would replace, synchronize or restrict by conditions. The store evaluates the condition
    /// when it makes the change, so that a concurrent update cannot turn a record into one of these keys unnoticed.
    ///
    /// - Throws: `errSecParam` if there is such a key now.
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
