// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemBus
import SecItemStore

/// A deletion in progress: its items, and what is needed to restore them. It survives the loss of a session and prompts
/// of any length, and continues where it stopped. Used by one thread.
final class DeletionPlan: StepwisePlan {
    struct Step {
        let filter: RecordFilter
        let item: StoredItem
        /// Nil if the item cannot be restored.
        let secret: Secret?
        var state = State.there

        enum State {
            /// The service has not been asked to delete the item.
            case there
            /// The service was asked, and the result is not known.
            case asked
            /// The item was seen to be gone.
            case gone
        }
    }

    private(set) var steps: [Step]
    private var isReported = false
    /// Whether the items are certainly still where they were found.
    private var isFresh = true

    /// Finds the items. Deletes nothing yet.
    ///
    /// The plan is empty when one of the deletions matches nothing.
    init(_ deletions: [RecordDeletion], _ operation: Operation) throws {
        let found = try deletions.map { deletion in
            let items = try operation.find(deletion.filter, for: .writing).items
            try deletion.requireCount(items.count)
            return items
        }
        steps = []
        if found.contains(where: \.isEmpty) { return }
        let meant = Set(found.joined().map(\.path))
        var doomed: [(filter: RecordFilter, item: StoredItem)] = []
        for (deletion, items) in zip(deletions, found) {
            if let unless = deletion.unless {
                let others = try operation.find(unless, for: .reading([], limit: nil)).items
                if !others.allSatisfy({ meant.contains($0.path) }) { continue }
            }
            doomed += items.map { (deletion.filter, $0) }
        }
        // A single deletion needs no undo.
        let secrets = doomed.count > 1 ? try operation.secretsForUndoing(of: doomed.map(\.item)) : [:]
        steps = doomed.map { Step(filter: $0.filter, item: $0.item, secret: secrets[$0.item.path]) }
    }

    func perform(_ operation: Operation) throws {
        if !isFresh { try renew(operation) }
        isFresh = false
        for index in steps.indices where steps[index].state != .gone { try delete(&steps[index], operation) }
    }

    /// Searches again for the remaining items, because others may have changed them during a prompt or while the
    /// service was away. An undo restores what they wrote. Items that no longer match the filter stay.
    private func renew(_ operation: Operation) throws {
        steps = try steps.compactMap { step in
            switch step.state {
            case .there: return try found(step, operation)
            // The request may never have arrived.
            case .asked: return try operation.locate(step.item) == nil ? step : found(step, operation)
            case .gone: return step
            }
        }
    }

    /// The step in its present state; nil if the filter no longer matches its item.
    private func found(_ step: Step, _ operation: Operation) throws -> Step? {
        guard let item = try operation.find(step.item, again: step.filter) else { return nil }
        let secrets = try operation.secretsForUndoing(of: [item])
        return Step(filter: step.filter, item: item, secret: secrets[item.path], state: step.state)
    }

    private func delete(_ step: inout Step, _ operation: Operation) throws {
        var path: String? = step.state == .there ? step.item.path : try operation.locate(step.item)?.path
        while let place = path {
            step.state = .asked
            do {
                try operation.confirm(operation.session.delete(place))
                path = nil
            } catch let failure as BusFailure where failure.kind == .locked {
                throw Need.unlocking([place])
            } catch let failure as BusFailure where failure.kind == .noObject {
                // An item that is missing here may be elsewhere.
                path = try operation.locate(step.item)?.path
                if path == place { throw failure }
            }
        }
        step.state = .gone
    }

    // MARK: Undo

    var begunSteps: [Int] { steps.indices.filter { steps[$0].state != .there } }

    func putBack(_ step: Int, _ operation: Operation) throws {
        try restore(steps[step], operation)
        steps[step].state = .there
    }

    private func restore(_ step: Step, _ operation: Operation) throws {
        if try operation.locate(step.item) != nil { return }
        guard let secret = step.secret else { return }
        if !step.item.isForeign {
            do {
                try operation.requireNoOther(step.item.record)
            } catch let error as StoreError where error.code == .duplicate {
                // Somebody has added the item again meanwhile.
                return
            }
        }
        let session = operation.session
        let label = step.item.record.displayedLabel
        let attributes = step.item.attributes.filter { !session.provider.isReserved($0.key) }
        func create(in collection: String) throws {
            try operation.confirm(session.create(attributes, label: label, secret: secret, in: collection))
        }
        do {
            try create(in: step.item.collection)
        } catch let failure as BusFailure where failure.kind == .noObject {
            session.forgetCollection()
            guard let collection = try session.defaultCollection() else { throw failure }
            try create(in: collection)
        }
        if try operation.locate(step.item) == nil { throw StoreError(.io, "an item that was created again is missing") }
    }

    func report(_ step: Int, _ operation: Operation, _ cause: any Error) {
        if isReported { return }
        isReported = true
        operation.store.log.warning(
            "a deletion failed and one of its items is not restored yet: each later call tries to create it again",
            metadata: ["item": "\(steps[step].item.path)", "cause": "\(cause)"]
        )
    }
}
