// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemBus
import SecItemStore

/// A deletion on its way: which items, and what is needed to bring them back. It outlives the loss of a session and
/// whatever a person takes their time for, and goes on where it was. Used by one thread.
final class DeletionPlan: StepwisePlan {
    struct Step {
        let filter: RecordFilter
        let item: StoredItem
        /// Nil when there is no way back.
        let secret: Secret?
        var state = State.there

        enum State {
            /// Nobody has been asked to delete the item.
            case there
            /// Somebody has, and the answer is not known.
            case asked
            /// It was seen that the item is gone.
            case gone
        }
    }

    private(set) var steps: [Step]
    private var isReported = false
    /// Whether the items are certainly where they were found.
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
        // One deletion needs no way back.
        let secrets = doomed.count > 1 ? try operation.secretsForUndoing(of: doomed.map(\.item)) : [:]
        steps = doomed.map { Step(filter: $0.filter, item: $0.item, secret: secrets[$0.item.path]) }
    }

    func perform(_ operation: Operation) throws {
        if !isFresh { try renew(operation) }
        isFresh = false
        for index in steps.indices where steps[index].state != .gone { try delete(&steps[index], operation) }
    }

    /// Finds anew what may still be there: others may have written since, while a person was asked or the service was away.
    /// What they wrote is what comes back, and what the filter no longer means stays.
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

    /// The step as things are now; nil when the filter does not mean its item any more.
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
                // Not there is not gone: it may be elsewhere.
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
                // Somebody has added the item anew meanwhile.
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
