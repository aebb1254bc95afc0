// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// A shared store, with a copy of its synchronizable items on this machine for the time when it cannot be reached.
///
/// **Look-ups** ask the shared store. If that cannot be reached, they read the copy, and so do all further look-ups until
/// the store is back. A listener notices that, and besides, a thread tries now and then.
///
/// **Changes** go to the shared store alone, and fail while it cannot be reached. What was stored is then also changed
/// in the copy.
///
/// **The copy** is compared with the shared store when a process first reaches it, if the last comparison is some
/// minutes old, and when another program has changed items. After a comparison there is a pause, which is longer after a long
/// one, and a last comparison follows the last change. Callers wait for the first copy, and only a moment for later
/// comparisons. The copy belongs to one keychain with its keys, and is made anew for another. If it cannot be written, a
/// warning says so once, and calls go on without it.
package final class ReplicatedStore: LockableStore {
    package let shared: any SharedStore
    private let replica: Replica
    private let state: LockedValue<State>

    private struct State: Sendable {
        var reach: Reach
        var schedule = ComparisonSchedule()
        /// Whether the store was reached, or an attempt failed. Then the listener is there.
        var isObserved = false
        var observation: (any Sendable)?
    }

    /// Longer than the pauses of a listener, which reports each failed attempt.
    private static let patienceOfListener = 25.0
    /// The seconds after which a process begins to listen. Many programs end before.
    private static let pauseBeforeListening = 1.0

    /// - Parameters:
    ///   - shared: The shared store.
    ///   - copy: An embedded store for the copy alone.
    ///   - folder: The absolute path of the folder for the record of what the copy contains. It is created with the copy.
    ///   - patience: The seconds between the first failure to reach the shared store and the next attempt. Later pauses
    ///     are longer.
    package init(_ shared: any SharedStore, copy: any LockableStore, folder: String, patience: Double = 5) {
        self.shared = shared
        state = LockedValue(State(reach: Reach(patience: patience)))
        replica = Replica(store: copy, folder: folder)
    }

    package var summary: String {
        guard isAway, let date = replica.date else { return shared.summary }
        return "\(shared.summary), which cannot be reached: look-ups read a copy of \(date.formatted(.iso8601))"
    }

    package var isPassphraseProtected: Bool { shared.isPassphraseProtected }

    // MARK: Items

    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        func readCopy() throws(StoreError) -> [ItemRecord] {
            try replica.store.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }
        if isSilent(), replica.isUsable { return try readCopy() }
        do throws(StoreError) {
            let found = try shared.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
            reached()
            return found
        } catch {
            guard error.isOutOfReach else { throw error }
            lost()
            guard replica.isUsable else { throw error }
            Self.logger().once(
                .notice, "The shared keychain cannot be reached: look-ups read the copy on this machine",
                metadata: ["reason": "\(error.message)"])
            return try readCopy()
        }
    }

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try changing { () throws(StoreError) in
            try shared.insert(records, interaction: interaction)
            return records.count
        } copy: { (copy) throws(StoreError) in
            let records = records.filter { $0.belongsInSharedPlace }
            if !records.isEmpty { try copy.insert(records, interaction: .forbidden) }
            return nil
        }
    }

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try changing { () throws(StoreError) in
            try shared.update(steps, interaction: interaction)
        } copy: { (copy) throws(StoreError) in
            try copy.update(steps, interaction: .forbidden)
        }
    }

    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try changing { () throws(StoreError) in
            try shared.delete(steps, interaction: interaction)
        } copy: { (copy) throws(StoreError) in
            try copy.delete(steps, interaction: .forbidden)
        }
    }

    /// Changes the shared store, and then the copy.
    ///
    /// - Parameter copy: Changes the copy. Returns the number of changed records, or nil if nobody needs to compare it.
    /// - Returns: What `body` returns.
    @discardableResult
    private func changing(
        _ body: () throws(StoreError) -> Int, copy: (any KeychainStore) throws(StoreError) -> Int?
    ) throws(StoreError) -> Int {
        let count: Int
        do throws(StoreError) {
            count = try body()
        } catch {
            if error.isOutOfReach {
                lost()
                // Perhaps it was stored all the same.
                if error.isOutcomeUnknown { state.withLock { $0.schedule.copyIsOld() } }
            }
            throw error
        }
        if count > 0, replica.isUsable {
            var isSame = false
            do throws(StoreError) {
                let copied = try copy(replica.store)
                isSame = copied == nil || copied == count
            } catch {}
            state.withLock { state in
                if !isSame { state.schedule.copyIsOld() }
                state.schedule.somethingChanged()
            }
        }
        reached()
        return count
    }

    // MARK: Lock

    package var isLocked: Bool { isAway && replica.isUsable ? replica.store.isLocked : shared.isLocked }

    /// Locks both. If the copy cannot be opened, the shared store is locked before the error is thrown.
    package func lock() throws(StoreError) {
        var failure: StoreError?
        do throws(StoreError) { try replica.store.lock() } catch { failure = error }
        try shared.lock()
        if let failure { throw failure }
    }

    /// Unlocks both. The copy may have another passphrase, or none. It is enough only while the shared store cannot be
    /// reached.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        let isCopyOpen = (try? replica.store.unlock(passphrase: passphrase)) != nil
        // It may have been compared in vain before.
        if isCopyOpen { state.withLock { $0.schedule.becomesDue() } }
        do throws(StoreError) {
            try shared.unlock(passphrase: passphrase)
        } catch {
            guard error.isOutOfReach, isCopyOpen, replica.isUsable else { throw error }
            lost()
        }
    }

    /// Changes the passphrase of the copy. If that fails, the copy is removed, because it would be protected as before.
    func setPassphrase(_ passphrase: Secret?, current: Secret?) {
        guard replica.isUsable else { return }
        do throws(StoreError) {
            guard let store = replica.store as? any PassphraseStore else { return }
            try store.setPassphrase(passphrase, current: current)
        } catch {
            do throws(StoreError) { try replica.clear() } catch { warn(error) }
            state.withLock { $0.schedule.becomesDue() }
        }
    }

    // MARK: Reach

    static let logger = KeychainLog("secitem.store")

    /// Whether the last attempt to reach the shared store failed.
    var isAway: Bool { state.withLock { $0.reach.isAway } }

    /// Whether look-ups read the copy now, because the last attempt to reach the shared store failed. When it is time for
    /// another attempt, a thread of its own makes it: a server that says nothing would hold up the look-up.
    private func isSilent() -> Bool {
        let (isSilent, isToTry) = state.withLock { $0.reach.ask() }
        if isToTry, !DetachedThread.start({ [weak self] in self?.tryAgain() }) {
            state.withLock { $0.reach.endOfAttempt() }
            return false
        }
        return isSilent
    }

    private func tryAgain() {
        do throws(StoreError) {
            _ = try shared.contents()
            state.withLock { $0.reach.succeeded() }
            _ = compareApart()
        } catch {
            // Another failure is for a caller to see.
            if error.isOutOfReach { lost() } else { state.withLock { $0.reach.succeeded() } }
        }
        state.withLock { $0.reach.endOfAttempt() }
    }

    private func lost() {
        state.withLock { $0.reach.failed() }
        beginListening()
    }

    /// Notes that the shared store answered, and compares the copy if that is due.
    private func reached() {
        let isDue = state.withLock { state in
            state.reach.succeeded()
            return state.schedule.isDue
        }
        if isDue { compareIfOld() }
        beginListening()
    }

    private func beginListening() {
        let isFirst = state.withLock { state in
            defer { state.isObserved = true }
            return !state.isObserved
        }
        guard isFirst else { return }
        let observation = shared.observe(after: Self.pauseBeforeListening) { [weak self] news in self?.receive(news) }
        state.withLock { $0.observation = observation }
    }

    private func receive(_ news: SharedNews) {
        switch news {
        case .listening, .changed:
            state.withLock { $0.reach.succeeded() }
            _ = compareApart()
        case .outOfReach:
            state.withLock { $0.reach.failedApart(pause: Self.patienceOfListener) }
        case .deaf: break
        }
    }

    // MARK: Comparison

    private static let shortestRest = 1.0
    /// The pause is so many times as long as the comparison.
    private static let restFactor = 4.0
    /// The seconds after a failed comparison in which calls begin no other one.
    private static let restAfterFailure = 10.0
    /// The seconds that a caller waits for a comparison of a copy that is there. Short programs would never finish one if
    /// nobody waited.
    private static let patienceOfCaller = 0.2
    /// The seconds that a caller waits for the first copy.
    private static let patienceForFirstCopy = 30.0
    /// How often, at intervals of 50 ms, a comparison tries again while another process compares.
    private static let mostAttempts = 200

    /// Compares the copy unless another process has done so lately.
    private func compareIfOld() {
        guard let keychain = try? shared.openedKeychain() else { return }
        let isOfThisKeychain = !keychain.isEmpty && replica.keychain == keychain
        let (isFirst, isAtRest) = state.withLock { state in
            (!state.isObserved && state.schedule.isUnknown, state.schedule.isAtRest)
        }
        if isFirst, isOfThisKeychain, let age = replica.age, age < ComparisonSchedule.greatestAge {
            return state.withLock { $0.schedule.copyIsFresh() }
        }
        if !isOfThisKeychain && isAtRest { return }
        let ended = DispatchSemaphore(value: 0)
        // The caller waits for a first copy: a program that ends soon would leave none.
        let patience = isOfThisKeychain ? Self.patienceOfCaller : Self.patienceForFirstCopy
        let isBegun = compareApart(waits: isOfThisKeychain) { ended.signal() }
        if isBegun, !isAtRest { _ = ended.wait(timeout: .now() + patience) }
    }

    /// Begins a comparison on a thread of its own. If one is in progress, another one follows it.
    ///
    /// - Parameters:
    ///   - waits: As for ``goOn(waits:_:)``.
    ///   - ended: Called when the first comparison has ended.
    /// - Returns: Whether it has begun.
    private func compareApart(waits: Bool = true, _ ended: @escaping @Sendable () -> Void = {}) -> Bool {
        guard state.withLock({ $0.schedule.begin() }) else { return false }
        if DetachedThread.start({ [self] in goOn(waits: waits, ended) }) { return true }
        state.withLock { $0.schedule.comparisonIsOff() }
        return false
    }

    /// Makes the copy equal to the shared store, on a thread of its own. Changes that arrive meanwhile are compared afterwards.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait for the end of a pause, and while another process compares, which may not learn of the
    ///     newest change. If not, there is one attempt at once, because a caller waits for it; what follows it waits, on
    ///     another thread.
    ///   - ended: Called when the first comparison has ended.
    private func goOn(waits: Bool, _ ended: () -> Void = {}) {
        var isFirst = true
        while true {
            if waits { rest() }
            state.withLock { $0.schedule.reads() }
            let isEqual = compareOnce(waits)
            if isFirst { ended() }
            isFirst = false
            guard state.withLock({ $0.schedule.ended(isEqual: isEqual, goesOn: waits) }) else { return }
            if !waits {
                _ = compareApart()
                return
            }
        }
    }

    private func rest() {
        while true {
            let (now, end) = (SystemClock.awake, state.withLock { $0.schedule.restsUntil })
            if end <= now { return }
            usleep(UInt32(min((end - now) / 1_000 + 1, 500_000)))
        }
    }

    /// - Returns: Whether the copy is now equal to what the shared store had at the beginning.
    private func compareOnce(_ waits: Bool) -> Bool {
        let start = SystemClock.awake
        var isEqual = false, pause = Self.shortestRest
        do throws(StoreError) {
            for attempt in 1...(waits ? Self.mostAttempts : 1) where !isEqual {
                if attempt > 1 { usleep(50_000) }
                isEqual = try replica.compare(with: shared)
            }
            if isEqual { pause = max(pause, Double(SystemClock.awake - start) / 1e9 * Self.restFactor) }
        } catch {
            if error.isOutOfReach {
                state.withLock { $0.reach.failedApart() }
            } else {
                pause = Self.restAfterFailure
                warn(error)
            }
        }
        state.withLock { $0.schedule.rest(pause) }
        return isEqual
    }

    private func warn(_ error: StoreError) {
        // A locked copy is compared again after somebody has unlocked it.
        if error.code == .locked { return }
        Self.logger().once(
            .warning,
            "The copy of the shared keychain on this machine cannot be kept: while the server is away, its items are not found",
            metadata: ["reason": "\(error.message)"])
    }
}
