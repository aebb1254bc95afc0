import Logging
import SecItemStore

/// An update on its way: what each item becomes, and what it was. It outlives the loss of a session, and goes on where
/// it was. Used by one thread.
final class ChangePlan {
    struct Step {
        let item: StoredItem
        let oldSecret: Secret?
        /// The record with the changes made; its secrets are those that change.
        let target: ItemRecord
        let attributes: [String: String]
        var isBegun = false
        var isDone = false

        var changesKey: Bool { target.primaryKey != item.record.primaryKey }
    }

    private(set) var steps: [Step]
    private let foundBy: ServiceSession

    /// Finds the items and works out what they become. Changes nothing yet.
    init(
        updating filter: RecordFilter, _ changes: RecordChanges, _ store: LibsecretStore, _ session: ServiceSession,
        _ interaction: Interaction
    ) throws {
        let items = try store.find(filter, for: .writing, session, interaction).items
        let old = changes.secrets.isEmpty ? [:] : try session.secrets(of: items)
        foundBy = session
        steps = try items.map { item in
            let target = item.record.applying(changes)
            let attributes = try item.attributes(after: changes, becoming: target)
            return Step(item: item, oldSecret: old[item.path], target: target, attributes: attributes)
        }
    }

    /// Makes the changes that are not made yet.
    ///
    /// - Throws: What the first failure was, after everything has been put back as it was. The loss of the service is
    ///   not such a failure: the plan may be performed again with the next session.
    func perform(_ store: LibsecretStore, _ session: ServiceSession, _ interaction: Interaction) throws {
        for index in steps.indices where !steps[index].isDone {
            do {
                try perform(&steps[index], store, session)
            } catch let failure as BusFailure where failure.kind == .lost {
                log(store, "the service was lost", failure)
                throw failure
            } catch {
                rollBack(store, session)
                if let failure = error as? BusFailure, failure.kind == .locked {
                    throw NeedsUnlock(paths: steps.map(\.item.path))
                }
                throw error
            }
        }
    }

    private func perform(_ step: inout Step, _ store: LibsecretStore, _ session: ServiceSession) throws {
        guard let path = try store.path(of: step.item, foundBy: foundBy, session) else {
            step.isDone = true
            return
        }
        step.isBegun = true
        // The secret first: attributes, and with them the date, never tell of a change that has not been made.
        if let secret = step.target.secrets[.valueData] { try session.setSecret(secret, of: path) }
        if !step.attributes.isByteEqual(to: step.item.attributes) {
            try session.setAttributes(step.attributes, of: path)
        }
        let label = step.target.displayedLabel
        if !label.utf8.elementsEqual(step.item.record.displayedLabel.utf8) { try session.setLabel(label, of: path) }
        step.isDone = true
    }

    private func rollBack(_ store: LibsecretStore, _ session: ServiceSession) {
        for index in steps.indices where steps[index].isBegun {
            let step = steps[index]
            do {
                if let path = try store.path(of: step.item, foundBy: foundBy, session) {
                    try session.setAttributes(step.item.attributes, of: path)
                    if step.target.secrets[.valueData] != nil, let secret = step.oldSecret {
                        try session.setSecret(secret, of: path)
                    }
                    try session.setLabel(step.item.record.displayedLabel, of: path)
                }
                steps[index].isBegun = false
                steps[index].isDone = false
            } catch {
                log(store, "item \(step.item.path) could not be put back", error)
            }
        }
    }

    private func log(_ store: LibsecretStore, _ message: String, _ cause: any Error) {
        let done = steps.filter(\.isDone).map(\.item.path)
        let open = steps.filter { !$0.isDone }.map(\.item.path)
        store.log.warning(
            "an update was interrupted: \(message)",
            metadata: ["cause": "\(cause)", "changed": "\(done)", "unchanged": "\(open)"]
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
    /// Whether the texts are the same to a service. Swift also holds texts of different characters to be equal.
    fileprivate func isByteEqual(to other: [String: String]) -> Bool {
        count == other.count
            && allSatisfy { name, text in other[name].map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    }
}
