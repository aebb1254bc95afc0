// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

extension KeychainEngine {
    struct UpdatePlan {
        let steps: [RecordUpdate]
        /// Whether the steps only apply to items as they were read. If an item has changed since, the steps change
        /// nothing.
        var holdsForWhatWasRead = false
    }

    /// Checks presence, and computes what each item becomes.
    ///
    /// A change of a guarded item's data or protection needs the proof that its present constraints demand. The store
    /// checks them again when it makes the change, and leaves an item alone if its constraints have changed meanwhile.
    ///
    /// - Throws: The errors of ``PresenceCheck/admits(_:)``; `errSecParam` if a guarded item would be synchronized.
    func steps(
        for targets: [Target], _ changes: ItemChanges, _ interaction: Interaction, _ check: inout PresenceCheck
    ) throws(KeychainError) -> UpdatePlan {
        guard changes.concernConstraints else {
            return UpdatePlan(steps: targets.map { RecordUpdate($0, changes, [:]) })
        }
        var attempts = 0
        while attempts < Self.presenceAttempts {
            var guarded: [ItemRecord] = []
            for target in targets {
                guarded += try guardedRecords(target, changes, interaction)
            }
            if !guarded.isEmpty, changes.attributes[.synchronizable]?.integer == 1 {
                throw .param("a synchronized item cannot have constraints")
            }
            guard try check.admits(guarded, toSeal: changes.constraints != .removed) else {
                attempts += 1
                continue
            }
            var constraints: [PersistentReference: AttributeValue] = [:]
            for record in guarded { constraints[record.reference] = record.attributes[.accessControl] }
            let admitted = targets.map { $0.meeting(.hasConstraints(constraints)) }
            guard changes.differByItem(guarded) else {
                return UpdatePlan(
                    steps: admitted.map { RecordUpdate($0, changes, [:]) }, holdsForWhatWasRead: !guarded.isEmpty)
            }
            var steps: [RecordUpdate] = []
            do throws(KeychainError) {
                for target in admitted { steps += try self.steps(for: target, changes, interaction, check) }
            } catch {
                guard check.asksAgain(after: error) else { throw error }
                continue
            }
            return UpdatePlan(steps: steps, holdsForWhatWasRead: true)
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    /// The guarded items that the target matches now, with what is needed to decide whether they may be changed.
    private func guardedRecords(
        _ target: Target, _ changes: ItemChanges, _ interaction: Interaction
    ) throws(KeychainError) -> [ItemRecord] {
        let filter = target.filter.meeting(.isConstrained)
        // A store that seals secrets reveals that only together with the secrets.
        if store.guardedStore == nil {
            let records = try records(filter, .attributes, interaction)
            // So does an item with a password that it has secrets to open.
            if try !demandPassword(records) { return records }
        }
        return try records(filter, [.attributes, .secrets], interaction)
    }

    /// One step for each item that the target matches now. The step changes the item only if it is still as it was
    /// read, so that older secrets never replace newer ones.
    ///
    /// - Throws: `errSecItemNotFound` if no item matches any more, `errSecParam` if more match than the target allows;
    ///   the errors of ``PresenceCheck/opened(_:)`` and ``PresenceCheck/sealed(_:isNew:)``.
    private func steps(
        for target: Target, _ changes: ItemChanges, _ interaction: Interaction, _ check: PresenceCheck
    ) throws(KeychainError) -> [RecordUpdate] {
        var steps: [RecordUpdate] = []
        let records = try records(target.filter, [.attributes, .secrets], interaction)
        // Others may have added an item since the matches were counted, and each step below counts its own item only.
        if let greatest = target.greatestCount, records.count > greatest {
            throw .param("more items match than kSecMatchLimit allows")
        }
        for record in records {
            let opened = try check.opened(record)
            var changed = opened
            changed.attributes.merge(changes.attributes) { $1 }
            changed.secrets.merge(changes.secrets) { $1 }
            let known = changes.secrets.isEmpty ? try record.demandedConstraints()?.publicKey : nil
            let constraints = try self.constraints(of: opened, changes).map {
                changed.constrained(by: $0, knownPublicKey: known).attributes
            }
            changed.attributes[.accessControl] = constraints?[.accessControl]
            // A password that has opened nothing may be a slip.
            changed = try check.sealed(changed, isNew: changes.setsConstraints || opened.secrets.isEmpty)
            var narrowed = target
            narrowed.filter = target.filter.narrowed(to: record).meeting(.isAsRead(record))
            // Secrets that were sealed under other constraints are sealed again.
            let hadPassword = try record.demandsPassword, getsPassword = try changed.demandsPassword
            let isWhole = store.guardedStore != nil || hadPassword || getsPassword
            let secrets = isWhole ? changed.secrets : changes.secrets
            steps.append(
                RecordUpdate(narrowed, changes, constraints?.filter { $0.key == .accessControl } ?? [:], secrets))
        }
        if steps.isEmpty { throw .itemNotFound() }
        return steps
    }
}

extension ItemChanges {
    /// Whether the changes give items conditions.
    var setsConstraints: Bool {
        if case .set = constraints { return true }
        return false
    }

    /// Whether the changes affect the data or protection of a guarded item.
    fileprivate var concernConstraints: Bool {
        !secrets.isEmpty || attributes[.synchronizable]?.integer == 1 || constraints != .kept
    }

    /// Whether items get different constraints, because these depend on the kind of key.
    fileprivate func differByItem(_ guarded: [ItemRecord]) -> Bool {
        switch constraints {
        case .set: true
        case .removed: guarded.contains { $0.guardedSecrets != nil || ((try? $0.demandsPassword) ?? true) }
        case .kept: guarded.contains { $0.itemClass == .key || ((try? $0.demandsPassword) ?? true) }
        }
    }
}

extension KeychainEngine {
    /// The constraints of an item after the change; nil for none.
    private func constraints(
        of record: ItemRecord, _ changes: ItemChanges
    ) throws(KeychainError) -> AccessConstraints? {
        let old = try forClient { () throws(StoreError) in try record.constraints }
        switch changes.constraints {
        case .set(let flags):
            let new = try newConstraints(flags)
            guard let old, let known = sealingDerivation(of: record, old) else { return new }
            // What is the same stays so to the byte: a store need not change it.
            return old.flags == new.flags && old.biometrySet == new.biometrySet ? new.with(password: known) : new
        case .removed: return nil
        case .kept:
            guard let old, old.password != nil, sealingDerivation(of: record, old) == nil else { return old }
            return old.with(password: PasswordSeal.newDerivation(passwordCost))
        }
    }

    /// How the key of an item's password was made, if more may be sealed under it.
    ///
    /// Only a key that has opened a secret is known to be the owner's. In an item without secrets, others may have planted
    /// a salt of their own, or a key that is cheap to guess. A key that costs less than a new item's is replaced as well.
    ///
    /// - Parameter opened: The record with its secrets, which the password has opened.
    private func sealingDerivation(
        of opened: ItemRecord, _ constraints: AccessConstraints
    ) -> AccessConstraints.PasswordDerivation? {
        guard !opened.secrets.isEmpty, let derivation = constraints.password, let cost = derivation.cost,
            cost.isAtLeast(passwordCost)
        else { return nil }
        return derivation
    }
}

extension RecordUpdate {
    fileprivate init(
        _ target: Target, _ changes: ItemChanges, _ more: [ItemAttribute: AttributeValue],
        _ secrets: [ItemAttribute: Secret]? = nil
    ) {
        let removed: Set<ItemAttribute> = changes.constraints == .removed ? [.accessControl] : []
        let changes = RecordChanges(
            attributes: changes.attributes.merging(more) { $1 }, secrets: secrets ?? changes.secrets,
            removing: removed)
        self.init(target.filter, applying: changes, atMost: target.greatestCount)
    }
}

extension Target {
    fileprivate func meeting(_ condition: RecordCondition) -> Target {
        Target(filter: filter.meeting(condition), unless: unless, greatestCount: greatestCount)
    }
}

extension RecordCondition {
    /// Whether the item is unchanged since it was read. Each change gives it a later date.
    fileprivate static func isAsRead(_ read: ItemRecord) -> RecordCondition {
        RecordCondition(on: .attributes) { record in
            record.attributes[.modificationDate]?.matchKey == read.attributes[.modificationDate]?.matchKey
        }
    }

    fileprivate static let isConstrained = RecordCondition(on: .attributes) { $0.isConstrained }

    /// Whether an item has exactly these constraints, or none if none are given for it.
    fileprivate static func hasConstraints(_ known: [PersistentReference: AttributeValue]) -> RecordCondition {
        RecordCondition(on: .attributes) { record in
            record.attributes[.accessControl]?.matchKey == known[record.reference]?.matchKey
        }
    }
}
