import Logging
import SecItemStore

/// A deletion on its way: which items, and what is needed to bring them back. It outlives the loss of a session, and
/// goes on where it was. Used by one thread.
final class DeletionPlan {
    struct Step {
        let item: StoredItem
        let secret: Secret?
        var isDone = false
    }

    private(set) var steps: [Step]
    private let foundBy: ServiceSession

    /// Finds the items. Deletes nothing yet.
    init(
        deleting filter: RecordFilter, _ store: LibsecretStore, _ session: ServiceSession, _ interaction: Interaction
    ) throws {
        let items = try store.find(filter, for: .writing, session, interaction).items
        // One deletion needs no way back.
        let secrets = items.count > 1 ? try session.secrets(of: items) : [:]
        foundBy = session
        steps = items.map { Step(item: $0, secret: secrets[$0.path]) }
    }

    /// Deletes what is not deleted yet.
    ///
    /// - Throws: What the first failure was, after the deleted items have been made again. The loss of the service is
    ///   not such a failure: the plan may be performed again with the next session.
    func perform(_ store: LibsecretStore, _ session: ServiceSession, _ interaction: Interaction) throws {
        for index in steps.indices where !steps[index].isDone {
            do {
                if let path = try store.path(of: steps[index].item, foundBy: foundBy, session) {
                    try delete(path, store, session, interaction)
                }
                steps[index].isDone = true
            } catch let failure as BusFailure where failure.kind == .lost {
                log(store, "the service was lost", failure)
                throw failure
            } catch {
                rollBack(store, session, interaction)
                if let failure = error as? BusFailure, failure.kind == .locked {
                    throw NeedsUnlock(paths: steps.map(\.item.path))
                }
                throw error
            }
        }
    }

    private func delete(
        _ path: String, _ store: LibsecretStore, _ session: ServiceSession, _ interaction: Interaction
    ) throws {
        do {
            try store.confirm(try session.delete(path), session, interaction)
        } catch let failure as BusFailure where failure.kind == .noObject {
            // Somebody else was faster.
        }
    }

    private func rollBack(_ store: LibsecretStore, _ session: ServiceSession, _ interaction: Interaction) {
        for index in steps.indices where steps[index].isDone {
            let step = steps[index]
            guard let secret = step.secret else { continue }
            do {
                let collection = try store.collection(session, interaction)
                let label = step.item.record.displayedLabel
                let prompt = try session.create(step.item.attributes, label: label, secret: secret, in: collection)
                try store.confirm(prompt, session, interaction)
                steps[index].isDone = false
            } catch {
                log(store, "item \(step.item.path) could not be made again", error)
            }
        }
    }

    private func log(_ store: LibsecretStore, _ message: String, _ cause: any Error) {
        let done = steps.filter(\.isDone).map(\.item.path)
        let open = steps.filter { !$0.isDone }.map(\.item.path)
        store.log.warning(
            "a deletion was interrupted: \(message)",
            metadata: ["cause": "\(cause)", "deleted": "\(done)", "left": "\(open)"]
        )
    }
}
