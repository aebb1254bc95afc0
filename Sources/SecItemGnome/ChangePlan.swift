// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemBus
import SecItemStore

/// An update in progress: what each item becomes, and what it was. It survives the loss of a session and prompts of any
/// length, and continues where it stopped. Used by one thread.
final class ChangePlan: StepwisePlan {
    struct Step {
        let update: RecordUpdate
        let item: StoredItem
        /// Where the item is now.
        var place: String
        /// The old secret and the new one, if it changes, as the service stores them.
        var oldSecret: Secret?
        let newSecret: Secret?
        /// The record after the changes; its secrets are those that change.
        let target: ItemRecord
        /// Its attributes after the changes.
        let attributes: [String: String]
        /// Its attributes at the moment when the service replaces the secret.
        let meanwhile: [String: String]
        var state = State.asBefore

        enum State {
            /// Nothing of the item was changed.
            case asBefore
            /// Some of it may have been changed.
            case begun
            /// All changes were seen to be made.
            case changed
        }

        init(_ update: RecordUpdate, of item: StoredItem, oldSecret: Secret?) throws(StoreError) {
            self.update = update
            self.item = item
            place = item.path
            self.oldSecret = oldSecret
            target = try item.record.applying(update.changes)
            newSecret = item.isForeign ? target.secrets[.valueData] : target.secrets[.valueData]?.written
            try Self.requireOneWrite(item.record, becoming: target)
            attributes = item.attributes(after: update.changes, becoming: target)
            meanwhile = try Self.attributesMeanwhile(item, becoming: target, attributes)
        }

        /// The service takes the attributes and the secret one after the other. Others may read the item in between,
        /// and if the program dies there, the item stays so. The old secret must never be less protected than before,
        /// nor the new one less than it will be. Whichever protection is stricter is therefore there while the secret
        /// is replaced. Where each is stricter in some way, both are.
        ///
        /// With equal protections, the secret comes first, so that attributes, including the date, never announce a
        /// change that was not made.
        ///
        /// - Throws: `StoreError` with `.unsupported` if no item can have both protections.
        private static func attributesMeanwhile(
            _ item: StoredItem, becoming target: ItemRecord, _ attributes: [String: String]
        ) throws(StoreError) -> [String: String] {
            if target.secrets.isEmpty { return item.attributes }
            let old = try ItemProtection(of: item.record), new = try ItemProtection(of: target)
            if old.isAtLeast(new) { return item.attributes }
            if new.isAtLeast(old) { return attributes }
            guard let both = old.joined(with: new) else {
                throw StoreError(
                    .unsupported,
                    "the Secret Service cannot change a secret and its access control at once, where neither access "
                        + "control demands all that the other does: change one first, or delete the item and add it")
            }
            let changes = RecordChanges(attributes: both.attributes, secrets: [:])
            var record = item.record
            record.attributes.merge(both.attributes) { $1 }
            return item.attributes(after: changes, becoming: record)
        }

        /// The attributes that this step may have left, in the order in which it sets them.
        var states: [[String: String]] { [item.attributes, meanwhile, attributes] }

        /// The service takes the secret and the attributes one after the other. If the program died between the two
        /// steps, a secret sealed under a password would be there without the salt of its key, and nobody could open
        /// it.
        ///
        /// - Throws: `StoreError` with `.unsupported` if the change needs both steps for such a secret.
        private static func requireOneWrite(_ old: ItemRecord, becoming new: ItemRecord) throws(StoreError) {
            let states = [old, new].map { $0.attributes[.accessControl]?.matchKey }
            guard !new.secrets.isEmpty, states[0] != states[1] else { return }
            guard [old, new].contains(where: { ((try? $0.constraints) ?? nil)?.password != nil }) else { return }
            throw StoreError(
                .unsupported,
                "the Secret Service cannot change a secret and its password at once: delete the item, add it")
        }

        var changesKey: Bool { target.primaryKey != item.record.primaryKey }
    }

    private(set) var steps: [Step]
    private var isReported = false
    /// Removes the record of the application's items, if it was written for these changes.
    private var takeBackRecord: (@Sendable () -> Void)?
    /// Whether the items are certainly still where they were found.
    private var isFresh = true

    /// Finds the items and computes their new content. Changes nothing yet.
    ///
    /// The plan is empty if one of the updates matches nothing.
    init(_ updates: [RecordUpdate], _ operation: Operation) throws {
        steps = []
        var all: [Step] = []
        for update in updates {
            let items = try operation.find(update.filter, for: .writing).items
            if items.isEmpty { return }
            try update.requireCount(items.count)
            all += try Self.steps(update, of: items, operation)
        }
        steps = all
    }

    private static func steps(
        _ update: RecordUpdate, of items: [StoredItem], _ operation: Operation
    ) throws -> [Step] {
        for item in items where item.isForeign { try item.requireHeld(update.changes, by: operation.session.provider) }
        let old = update.changes.secrets.isEmpty ? [:] : try operation.secretsForUndoing(of: items)
        return try items.map { try Step(update, of: $0, oldSecret: old[$0.path]) }
    }

    func perform(_ operation: Operation) throws {
        if !isFresh { try renew(operation) }
        isFresh = false
        try requireDistinct(operation)
        if takeBackRecord == nil, steps.contains(where: { $0.update.bringsItems }) {
            takeBackRecord = try operation.store.configuration.record?()
        }
        for index in steps.indices where steps[index].state != .changed { try change(&steps[index], operation) }
    }

    /// Reads the unchanged items again, because others may have changed them during a prompt or while the service was
    /// away. An undo must restore what they wrote, not the older content.
    private func renew(_ operation: Operation) throws {
        steps = try steps.compactMap { step in
            switch step.state {
            case .asBefore:
                guard let item = try operation.find(step.item, again: step.update.filter) else { return nil }
                return try Self.steps(step.update, of: [item], operation)[0]
            case .begun: return try renewed(step, operation)
            case .changed: return step
            }
        }
    }

    /// A step that may be partly done. Nil if its item was deleted.
    private func renewed(_ step: Step, _ operation: Operation) throws -> Step? {
        guard let item = try operation.locate(step.item, changedTo: step.states) else { return nil }
        var result = step
        if step.stage(of: item, operation.session.provider) ?? 0 > 0 {
            result.place = item.path
        } else {
            result = try Step(step.update, of: item, oldSecret: step.oldSecret)
            result.state = .begun
        }
        guard let new = step.newSecret else { return result }
        let current = try operation.secretsForUndoing(of: [item])[item.path]
        if let current, !current.hasSameBytes(as: new) { result.oldSecret = current }
        return result
    }

    /// - Throws: `StoreError` with `.duplicate` if two items would have the same primary key.
    private func requireDistinct(_ operation: Operation) throws {
        let changed = steps.filter { $0.changesKey && $0.state == .asBefore }
        if changed.isEmpty { return }
        if Set(steps.map { $0.target.primaryKey }).count < steps.count {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
        try operation.requireSearchable()
        for step in changed { try operation.requireNoOther(step.target, except: steps.map(\.item)) }
    }

    private func change(_ step: inout Step, _ operation: Operation) throws {
        let place = step.place
        step.state = .begun
        do throws(BusFailure) {
            let session = operation.session
            try session.change(step.item.attributes, to: step.meanwhile, of: place)
            if let secret = step.newSecret { try session.setSecret(secret, of: place) }
            try session.change(step.meanwhile, to: step.attributes, of: place)
            let label = step.target.displayedLabel
            if !label.utf8.elementsEqual(step.item.record.displayedLabel.utf8) {
                try session.setLabel(label, of: place)
            }
            step.state = .changed
        } catch {
            if error.kind == .locked { throw Need.unlocking([place]) }
            guard error.kind == .noObject else { throw error }
            // An item that is missing here may be elsewhere, or be missing only for a moment.
            if try operation.locate(step.item, changedTo: step.states) != nil { throw error }
            step.state = .changed
        }
    }

    // MARK: Undo

    var begunSteps: [Int] { steps.indices.filter { steps[$0].state != .asBefore } }

    func undo(_ operation: Operation) throws -> Bool {
        guard try undoSteps(operation) else { return false }
        if let first = steps.first { try operation.takeBack(takeBackRecord, of: first.target) }
        return true
    }

    func putBack(_ step: Int, _ operation: Operation) throws {
        try restore(steps[step], operation)
        steps[step].state = .asBefore
    }

    /// Restores what this plan has written. Content that somebody else has written since stays.
    private func restore(_ step: Step, _ operation: Operation) throws {
        guard let found = try operation.locate(step.item, changedTo: step.states) else { return }
        let session = operation.session
        // Programs with this store set another date when they write. Then the secret may be theirs too.
        guard let stage = step.stage(of: found, session.provider) else { return logOthers(operation, found.path) }
        var current = step.states[stage]
        if let old = try secretToRestore(step, of: found, operation) {
            try session.change(current, to: step.meanwhile, of: found.path)
            current = step.meanwhile
            try session.setSecret(old, of: found.path)
        }
        try session.change(current, to: step.item.attributes, of: found.path)
        let labels = [step.item.record, step.target].map(\.displayedLabel)
        if labels[0].utf8.elementsEqual(labels[1].utf8) { return }
        let label = try session.property("Label", of: "Item", at: found.path, type: "s").string
        if label.utf8.elementsEqual(labels[1].utf8) { try session.setLabel(labels[0], of: found.path) }
    }

    /// The old secret, if the new one is there. The attributes do not reveal whether another program has written the
    /// secret.
    private func secretToRestore(_ step: Step, of item: StoredItem, _ operation: Operation) throws -> Secret? {
        guard let new = step.newSecret, let old = step.oldSecret,
            let current = try operation.secretsForUndoing(of: [item])[item.path], !current.hasSameBytes(as: old)
        else { return nil }
        if current.hasSameBytes(as: new) { return old }
        logOthers(operation, item.path)
        return nil
    }

    private func logOthers(_ operation: Operation, _ path: String) {
        operation.store.log.warning(
            "an update failed, and another program has changed one of its items since: what it wrote stays",
            metadata: ["item": "\(path)"])
    }

    func report(_ step: Int, _ operation: Operation, _ cause: any Error) {
        if isReported { return }
        isReported = true
        operation.store.log.warning(
            "an update failed and one of its items is not restored yet: each later call tries to restore it",
            metadata: ["item": "\(steps[step].item.path)", "cause": "\(cause)"]
        )
    }
}

extension ChangePlan.Step {
    /// Which of its states an item is in; nil if another program has changed its attributes.
    fileprivate func stage(of item: StoredItem, _ provider: Provider) -> Int? {
        let found = item.attributes.withoutReserved(of: provider)
        return states.firstIndex { $0.withoutReserved(of: provider).isByteEqual(to: found) }
    }
}

extension ServiceSession {
    /// Replaces the attributes of an item, if the new ones are different.
    fileprivate func change(
        _ old: [String: String], to new: [String: String], of path: String
    ) throws(BusFailure) {
        if !new.isByteEqual(to: old) { try setAttributes(new, insteadOf: old, of: path) }
    }
}

extension StoredItem {
    /// Checks that another program's item can hold a change. It has no form of its own for what a provider's file cannot
    /// hold, because its program would not understand it.
    ///
    /// - Throws: `StoreError` with `.unsupported` if it cannot.
    fileprivate func requireHeld(_ changes: RecordChanges, by provider: Provider) throws(StoreError) {
        if let secret = changes.secrets[.valueData], secret.needsEncoding, !provider.keepsEveryText {
            throw StoreError(
                .unsupported,
                "another program's item cannot hold this secret: a keyring without a password would lose it, because of "
                    + "a line break, a backslash, or a blank at its beginning")
        }
        if let label = changes.attributes[.label], !label.isDisplayable {
            throw StoreError(.unsupported, "another program's item cannot hold this label")
        }
    }

    /// The attributes of the item after a change. Another program's item keeps its own attributes and names.
    fileprivate func attributes(after changes: RecordChanges, becoming target: ItemRecord) -> [String: String] {
        if !isForeign {
            var target = target
            // The size and the form of the secret, and whether there is one, must be known even if the change concerns
            // something else.
            if target.secrets[.valueData] == nil && hasSecret { target.secrets[.valueData] = Secret(count: 0) { _ in } }
            var result = target.ownAttributes()
            if changes.secrets[.valueData] == nil {
                for name in [SecretSchema.largeName, SecretSchema.encodingName] { result[name] = attributes[name] }
            }
            return result
        }
        let schema = SecretSchema.schema(of: record.itemClass)
        var types = ValueTypes(attributes[SecretSchema.typesName] ?? "")
        var result = attributes
        for (attribute, value) in changes.attributes where attribute != .label && attribute != .accessGroup {
            let text = ValueText(attribute, of: record.itemClass)
            let written = text.text(of: value)
            if written.utf8.elementsEqual((attributes[schema.name(of: attribute)] ?? "").utf8) { continue }
            result[schema.name(of: attribute)] = written
            types[attribute] = text.mark(of: value)
            // gnome-keyring keeps the lower 32 bits of a value that has this mark of older programs.
            if UInt32(written).map({ "\($0)" }) != written {
                result["gkr:compat:uint32:" + schema.name(of: attribute)] = nil
            }
        }
        if !result.isByteEqual(to: attributes) && !types.text.isEmpty { result[SecretSchema.typesName] = types.text }
        return result
    }
}

extension [String: String] {
    /// The attributes without those that the provider makes.
    fileprivate func withoutReserved(of provider: Provider) -> Self {
        filter { !provider.isReserved($0.key) && $0.key != SecretSchema.schemaName }
    }

    /// Whether the texts are equal for a service, which compares bytes. Swift also considers some different texts
    /// equal.
    func isByteEqual(to other: [String: String]) -> Bool {
        count == other.count
            && allSatisfy { name, text in other[name].map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    }
}
