// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore
import Synchronization

/// One call of the store on its way: the session that it goes through now, and whom it may ask.
struct Operation {
    let store: LibsecretStore
    let session: ServiceSession
    let interaction: Interaction

    /// Whether a person may be shown a prompt.
    var mayAsk: Bool { interaction == .allowed && store.configuration.canPrompt }
}

/// What an operation needs before it can go on. It is thrown to where no lock is held: a person may take their time.
enum Need: Error {
    /// Items or collections must be unlocked.
    case unlocking([String])
    /// There is no collection yet.
    case collection
    /// A question that the service has asked must be answered.
    case answer(Prompt)
}

/// A change of many items: what is done of it, and what that takes to undo.
protocol Plan: AnyObject {
    /// Goes on where it was. What it cannot see done, it does again.
    func perform(_ operation: Operation) throws

    /// Whether anything may have been changed.
    var isBegun: Bool { get }

    /// Puts everything back as it was.
    ///
    /// - Returns: Whether nothing is left to be put back.
    /// - Throws: `BusFailure` with `.lost` when the service was lost.
    func undo(_ operation: Operation) throws -> Bool
}

/// A plan whose steps are put back one by one.
protocol StepwisePlan: Plan {
    /// The numbers of the steps of which something may have been done.
    var begunSteps: [Int] { get }

    /// Puts back what a step did, and notes that.
    func putBack(_ step: Int, _ operation: Operation) throws

    /// Says, once, that a step could not be put back yet.
    func report(_ step: Int, _ operation: Operation, _ cause: any Error)
}

extension StepwisePlan {
    var isBegun: Bool { !begunSteps.isEmpty }

    func undo(_ operation: Operation) throws -> Bool {
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
    /// How often a call is tried again with a new session, once its own was lost.
    private static let reconnections = 2
    /// How often it has things unlocked that were locked meanwhile.
    private static let unlocks = 2
    /// How many of its questions it has a person answer.
    private static let answers = 1000

    /// Runs what only reads: again when the service was lost, or had to unlock something.
    func reading<Result>(
        _ interaction: Interaction, _ body: (Operation) throws -> Result
    ) throws(StoreError) -> Result {
        try retrying(interaction) { operation, _ in try body(operation) }
    }

    /// Runs what writes while no other thread or program with this store writes.
    ///
    /// `body` may be run several times, and must look at what it did before.
    func writing<Result>(
        _ interaction: Interaction, _ body: (Operation) throws -> Result
    ) throws(StoreError) -> Result {
        try retrying(interaction) { operation, patience in
            try writeLock.withLock(patience: &patience) { try body(operation) }
        }
    }

    /// Carries out a change of many items: wholly, or else what was done of it is undone.
    ///
    /// - Parameter make: Finds the items and makes the plan. It may be called several times, until something is begun.
    func carryOut<Change: Plan>(
        _ interaction: Interaction, _ make: (Operation) throws -> Change
    ) throws(StoreError) -> Change {
        var plan: Change?
        do throws(StoreError) {
            return try writing(interaction) { operation in
                // Others may have written while something was unlocked: what was not begun is planned anew.
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

    /// - Throws: `StoreError` with `.unavailable` in a forked child. It is asked before any lock is taken, which another
    ///   thread of the parent may have held in the moment of the fork.
    private func requireNoFork() throws(StoreError) {
        guard getpid() == process else {
            throw StoreError(.unavailable, "the Secret Service cannot be used in a forked child")
        }
    }

    /// The one loop in which anything is tried again.
    private func retrying<Result>(
        _ interaction: Interaction, _ body: (Operation, inout Double) throws -> Result
    ) throws(StoreError) -> Result {
        try requireNoFork()
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

    /// Tries to put back what could not be put back when a change failed: the collection was locked, or the service had
    /// gone. Where that still does not work, the call goes on, and the next one tries again.
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

/// Changes that failed, of which something is still to be put back.
final class Debts: Sendable {
    // Plans are used by whoever took them out, and by nobody else.
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
