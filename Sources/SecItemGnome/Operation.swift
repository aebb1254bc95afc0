// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore
import Synchronization

/// One call of the store: its present session, and whether it may prompt.
struct Operation {
    let store: LibsecretStore
    let session: ServiceSession
    let interaction: Interaction

    /// Whether a person may be shown a prompt.
    var mayAsk: Bool { interaction == .allowed && store.configuration.canPrompt }
}

/// A condition that an operation needs to continue. It is thrown to a place where no lock is held, because a person may
/// take any time.
enum Need: Error {
    /// Items or collections must be unlocked.
    case unlocking([String])
    /// There is no collection yet.
    case collection
    /// A prompt of the service must be answered.
    case answer(Prompt)
}

/// A change of many items: what was done so far, and how to undo it.
protocol Plan: AnyObject {
    /// Continues where it stopped. Repeats each step whose result is not visible.
    func perform(_ operation: Operation) throws

    /// Whether anything may have been changed.
    var isBegun: Bool { get }

    /// Restores everything.
    ///
    /// - Returns: Whether everything was restored.
    /// - Throws: `BusFailure` with `.lost` if the service was lost.
    func undo(_ operation: Operation) throws -> Bool
}

/// A plan whose steps are undone one by one.
protocol StepwisePlan: Plan {
    /// The numbers of the steps that may be at least partly done.
    var begunSteps: [Int] { get }

    /// Undoes a step, and records that.
    func putBack(_ step: Int, _ operation: Operation) throws

    /// Logs, once, that a step could not be undone yet.
    func report(_ step: Int, _ operation: Operation, _ cause: any Error)
}

extension StepwisePlan {
    var isBegun: Bool { !begunSteps.isEmpty }

    func undo(_ operation: Operation) throws -> Bool { try undoSteps(operation) }

    /// Undoes the steps that were begun.
    func undoSteps(_ operation: Operation) throws -> Bool {
        for step in begunSteps {
            do {
                try putBack(step, operation)
            } catch let failure as BusFailure where failure.kind == .lost {
                throw failure
            } catch {
                report(step, operation, error)
            }
        }
        return !isBegun
    }
}

extension LibsecretStore {
    /// How often to retry a call with a new session after the session was lost.
    private static let reconnections = 2
    /// How often to unlock items that were locked again meanwhile.
    private static let unlocks = 2
    /// How many prompts of one call a person may have to answer.
    private static let answers = 1000

    /// Runs a reading operation. Repeats it if the service was lost or something had to be unlocked.
    func reading<Result>(
        _ interaction: Interaction, _ body: (Operation) throws -> Result
    ) throws(StoreError) -> Result {
        try retrying(interaction) { operation, _ in try body(operation) }
    }

    /// Runs a writing operation while no other thread or program with this store writes.
    ///
    /// `body` may run several times, and must check what it did before.
    func writing<Result>(
        _ interaction: Interaction, _ body: (Operation) throws -> Result
    ) throws(StoreError) -> Result {
        try retrying(interaction) { operation, patience in
            try writeLock.withLock(patience: &patience) { try body(operation) }
        }
    }

    /// Makes a change of many items completely, or else undoes what was done of it.
    ///
    /// - Parameter make: Finds the items and makes the plan. It may run several times, until the change has begun.
    func carryOut<Change: Plan>(
        _ interaction: Interaction, _ make: (Operation) throws -> Change
    ) throws(StoreError) -> Change {
        var plan: Change?
        do throws(StoreError) {
            return try writing(interaction) { operation in
                // Others may have written during an unlock. A plan that has not begun is made again.
                let work = if let plan, plan.isBegun { plan } else { try make(operation) }
                plan = work
                try work.perform(operation)
                return work
            }
        } catch {
            if let plan, plan.isBegun, !tryToUndo(plan) { debts.add(plan) }
            throw error
        }
    }

    /// - Throws: `StoreError` with `.unavailable` in a child of the process that made the store.
    private func requireOwnProcess() throws(StoreError) {
        guard getpid() == process else {
            throw StoreError(.unavailable, "the Secret Service cannot be used in a child of the process that used it")
        }
    }

    /// The loop that makes all retries.
    private func retrying<Result>(
        _ interaction: Interaction, _ body: (Operation, inout Double) throws -> Result
    ) throws(StoreError) -> Result {
        try requireOwnProcess()
        settleDebts()
        var reconnections = 0
        var unlocks = 0
        var answers = 0
        var patience = configuration.lockTimeLimit
        while true {
            var used: ServiceSession?
            do {
                let session = try session()
                used = session
                let operation = Operation(store: self, session: session, interaction: interaction)
                do {
                    return try body(operation, &patience)
                } catch let need as Need {
                    switch need {
                    case .unlocking: unlocks += 1
                    case .collection, .answer: answers += 1
                    }
                    if unlocks > Self.unlocks { throw StoreError(.locked, "the collection is locked again") }
                    if answers > Self.answers { throw StoreError(.io, "the service keeps asking") }
                    try operation.meet(need)
                }
            } catch let failure as BusFailure where failure.kind == .lost && reconnections < Self.reconnections {
                log.debug("opening a new session", metadata: ["cause": "\(failure)"])
                drop(used)
                reconnections += 1
            } catch {
                throw translated(error)
            }
        }
    }

    // MARK: Debts

    /// Tries to undo earlier failed changes that could not be undone because the collection was locked or the service
    /// was away. If that still fails, the call continues, and the next one tries again.
    private func settleDebts() {
        guard debts.areOpen else { return }
        for plan in debts.takeAll() where !tryToUndo(plan) { debts.add(plan) }
    }

    private func tryToUndo(_ plan: any Plan) -> Bool {
        for _ in 0...Self.reconnections {
            guard let session = try? session() else { return false }
            let operation = Operation(store: self, session: session, interaction: .forbidden)
            var patience = configuration.lockTimeLimit
            do {
                return try writeLock.withLock(patience: &patience) { try plan.undo(operation) }
            } catch let failure as BusFailure where failure.kind == .lost {
                drop(session)
            } catch {
                return false
            }
        }
        return false
    }
}

/// Failed changes that are not completely undone yet.
final class Debts: Sendable {
    // Only the code that has taken plans out uses them.
    private struct Plans: @unchecked Sendable {
        var all: [any Plan] = []
    }

    private let plans = Mutex(Plans())

    var areOpen: Bool { plans.withLock { !$0.all.isEmpty } }

    func add(_ plan: any Plan) {
        nonisolated(unsafe) let plan = plan
        plans.withLock { $0.all.append(plan) }
    }

    func takeAll() -> [any Plan] {
        let taken = plans.withLock { plans in
            defer { plans.all = [] }
            return plans
        }
        return taken.all
    }
}
