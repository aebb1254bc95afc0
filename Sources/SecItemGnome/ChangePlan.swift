import Logging
import SecItemStore

/// An update on its way: what each item becomes, and what it was. It outlives the loss of a session and whatever a person
/// takes their time for, and goes on where it was. Used by one thread.
final class ChangePlan: Plan {
    struct Step {
        let item: StoredItem
        let oldSecret: Secret?
        /// The record with the changes made; its secrets are those that change.
        let target: ItemRecord
        let attributes: [String: String]
        var state = State.asBefore

        enum State {
            /// Nothing of the item has been changed.
            case asBefore
            /// Some of it may have been.
            case begun
            /// Every change was seen made.
            case changed
        }

        var changesKey: Bool { target.primaryKey != item.record.primaryKey }
    }

    private(set) var steps: [Step]
    private var isReported = false
    /// Whether the items are certainly where they were found.
    private var isFresh = true

    /// Finds the items and works out what they become. Changes nothing yet.
    ///
    /// The plan is empty when one of the updates matches nothing.
    init(_ updates: [RecordUpdate], _ operation: Operation) throws {
        steps = []
        var all: [Step] = []
        for update in updates {
            let changes = update.changes
            let items = try operation.find(update.filter, for: .writing).items
            if items.isEmpty { return }
            let old = changes.secrets.isEmpty ? [:] : try operation.secretsForUndoing(of: items)
            all += try items.map { item in
                let target = try item.record.applying(changes)
                let attributes = try item.attributes(after: changes, becoming: target)
                return Step(item: item, oldSecret: old[item.path], target: target, attributes: attributes)
            }
        }
        steps = all
    }

    func perform(_ operation: Operation) throws {
        try requireDistinct(operation)
        let wasFresh = isFresh
        isFresh = false
        for index in steps.indices where steps[index].state != .changed {
            try change(&steps[index], operation, isFresh: wasFresh)
        }
    }

    /// - Throws: `StoreError` with `.duplicate` when two items would have the same primary key.
    private func requireDistinct(_ operation: Operation) throws {
        let changed = steps.filter { $0.changesKey && $0.state == .asBefore }
        if changed.isEmpty { return }
        if Set(steps.map { $0.target.primaryKey }).count < steps.count {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
        try operation.requireSearchable()
        for step in changed { try operation.requireNoOther(step.target, except: steps.map(\.item)) }
    }

    private func change(_ step: inout Step, _ operation: Operation, isFresh: Bool) throws {
        let place = isFresh ? step.item.path : try operation.locate(step.item, changedTo: step.attributes)?.path
        // Gone: somebody else has deleted it.
        guard let place else { return step.state = .changed }
        step.state = .begun
        do throws(BusFailure) {
            // The secret first: attributes, and with them the date, never tell of a change that has not been made.
            let session = operation.session
            if let secret = step.target.secrets[.valueData] { try session.setSecret(secret, of: place) }
            if !step.attributes.isByteEqual(to: step.item.attributes) {
                try session.setAttributes(step.attributes, of: place)
            }
            let label = step.target.displayedLabel
            if !label.utf8.elementsEqual(step.item.record.displayedLabel.utf8) {
                try session.setLabel(label, of: place)
            }
            step.state = .changed
        } catch {
            if error.kind == .locked { throw Need.unlocking([place]) }
            guard error.kind == .noObject else { throw error }
            // Not there is not gone: it may be elsewhere, or come and go.
            if try operation.locate(step.item, changedTo: step.attributes) != nil { throw error }
            step.state = .changed
        }
    }

    // MARK: Undo

    var isBegun: Bool { steps.contains { $0.state != .asBefore } }

    func undo(_ operation: Operation) throws -> Bool {
        for index in steps.indices where steps[index].state != .asBefore {
            do {
                try restore(steps[index], operation)
                steps[index].state = .asBefore
            } catch let failure as BusFailure where failure.kind == .lost {
                throw failure
            } catch {
                log(operation, index, error)
            }
        }
        return !isBegun
    }

    private func restore(_ step: Step, _ operation: Operation) throws {
        let session = operation.session
        guard let found = try operation.locate(step.item, changedTo: step.attributes) else { return }
        // What somebody else has changed since is theirs. Attributes tell: each change has another date.
        let states = [step.item.attributes, step.attributes].map { $0.withoutReserved(of: session.provider) }
        let state = found.attributes.withoutReserved(of: session.provider)
        guard states.contains(where: { $0.isByteEqual(to: state) }) else { return }
        let place = found.path
        try session.setAttributes(step.item.attributes, of: place)
        if step.target.secrets[.valueData] != nil, let secret = step.oldSecret {
            try session.setSecret(secret, of: place)
        }
        try session.setLabel(step.item.record.displayedLabel, of: place)
    }

    private func log(_ operation: Operation, _ index: Int, _ cause: any Error) {
        if isReported { return }
        isReported = true
        operation.store.log.warning(
            "an update failed, and an item is not as it was yet: it will be put back before anything else is done",
            metadata: ["item": "\(steps[index].item.path)", "cause": "\(cause)"]
        )
    }
}

extension StoredItem {
    /// The attributes that the item has after a change. Another program's item keeps its own attributes and names.
    fileprivate func attributes(
        after changes: RecordChanges, becoming target: ItemRecord
    ) throws(StoreError) -> [String: String] {
        if !isForeign {
            var target = target
            // Whether there is a secret and how large it is must be known even when the change is about something else.
            if target.secrets[.valueData] == nil && hasSecret { target.secrets[.valueData] = Secret(count: 0) { _ in } }
            var result = try target.ownAttributes()
            if changes.secrets[.valueData] == nil && isLarge { result[SecretSchema.largeName] = "1" }
            return result
        }
        let schema = SecretSchema.schema(of: record.itemClass)
        var types = ValueTypes(attributes[SecretSchema.typesName] ?? "")
        var result = attributes
        for (attribute, value) in changes.attributes where attribute != .label && attribute != .accessGroup {
            let text = ValueText(attribute, of: record.itemClass)
            let written = try text.text(of: value)
            if written.utf8.elementsEqual((attributes[schema.name(of: attribute)] ?? "").utf8) { continue }
            result[schema.name(of: attribute)] = written
            types[attribute] = text.mark(of: value)
        }
        if !result.isByteEqual(to: attributes) && !types.text.isEmpty { result[SecretSchema.typesName] = types.text }
        return result
    }
}

extension [String: String] {
    /// Without what the provider makes up.
    fileprivate func withoutReserved(of provider: Provider) -> Self {
        filter { !provider.isReserved($0.key) && $0.key != SecretSchema.schemaName }
    }

    /// Whether the texts are the same to a service. Swift also holds texts of different characters to be equal.
    func isByteEqual(to other: [String: String]) -> Bool {
        count == other.count
            && allSatisfy { name, text in other[name].map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    }
}
