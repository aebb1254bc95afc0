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
/// comparisons. It belongs to one keychain with its keys, and is made anew
/// for another. If it cannot be written, a warning says so once, and calls go on without it.
package final class ReplicatedStore: LockableStore {
    package let shared: any SharedStore
    private let replica: Replica
    private let state: ForkableState<State>
    private let shortestPatience: Double

    private struct State: Sendable {
        /// If the last attempt to reach the shared store failed, the moment of the monotonic clock for the next one; 0
        /// if it did not.
        var awayUntil: UInt64 = 0
        /// The seconds between the next failure and the attempt after it.
        var patience: Double
        /// Whether it was reached, or an attempt failed. Then the listener is there.
        var isObserved = false
        var observation: (any Sendable)?
        /// When the copy was last found to be equal or fresh enough; 0 before that, and if it is known to be old.
        var comparedAt: UInt64 = 0
        /// Whether the copy lacks something, however young it is.
        var isKnownOld = false
        /// No comparison begins before that moment.
        var restsUntil: UInt64 = 0
        /// The process in which a thread tries to reach the shared store again.
        var trying: pid_t = 0
        /// The process with a comparison in progress.
        var comparing: pid_t = 0
        /// Whether something changed during that comparison.
        var isComparisonStale = false
    }

    /// The age, in seconds, at which the copy is compared again even if nobody has reported a change.
    private static let greatestAge = 300.0
    private static let longestPatience = 60.0
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
        shortestPatience = patience
        state = ForkableState(State(patience: patience))
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
            let records = records.filter(Replica.contains)
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
                if error.isOutcomeUnknown { state.withLock { ($0.comparedAt, $0.isKnownOld) = (0, true) } }
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
                if !isSame { (state.comparedAt, state.isKnownOld) = (0, true) }
                // A comparison on another thread may have read an item before this change, and may store it after.
                state.isComparisonStale = true
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
        let isCopyOpen: Bool
        do throws(StoreError) {
            try replica.store.unlock(passphrase: passphrase)
            isCopyOpen = true
        } catch {
            isCopyOpen = false
        }
        // It may have been compared in vain before.
        if isCopyOpen { makeDue() }
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
            makeDue()
        }
    }

    // MARK: Reach

    static let logger = LazyLogger("secitem.store")

    /// Whether the last attempt to reach the shared store failed.
    private var isAway: Bool { state.withLock { $0.awayUntil > 0 } }

    /// Whether look-ups read the copy now, because the last attempt to reach the shared store failed. When it is time for
    /// another attempt, a thread of its own makes it: a server that says nothing would hold up the look-up.
    private func isSilent() -> Bool {
        let own = getpid()
        let (isSilent, isDue) = state.withLock { state in
            if state.awayUntil == 0 { return (false, false) }
            if state.awayUntil > Self.now || state.trying == own { return (true, false) }
            state.trying = own
            return (true, true)
        }
        if isDue, !DetachedThread.start({ [weak self] in self?.tryAgain() }) {
            state.withLock { $0.trying = 0 }
            return false
        }
        return isSilent
    }

    private func tryAgain() {
        do throws(StoreError) {
            _ = try shared.contents()
            state.withLock { state in
                state.awayUntil = 0
                state.patience = shortestPatience
            }
            _ = compareApart()
        } catch {
            // Another failure is for a caller to see.
            if error.isOutOfReach { lost() } else { state.withLock { $0.awayUntil = 0 } }
        }
        state.withLock { $0.trying = 0 }
    }

    private func lost() {
        state.withLock { state in
            state.awayUntil = max(state.awayUntil, Self.now + Self.nanoseconds(state.patience))
            state.patience = min(state.patience * 2, Self.longestPatience)
        }
        beginListening()
    }

    /// Notes that the shared store answered, and compares the copy if that is due.
    private func reached() {
        let isDue = state.withLock { state in
            state.awayUntil = 0
            state.patience = shortestPatience
            let isOld = state.comparedAt == 0 || state.comparedAt + Self.nanoseconds(Self.greatestAge) < Self.now
            return isOld && state.comparing != getpid()
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
            state.withLock { state in
                state.awayUntil = 0
                state.patience = shortestPatience
            }
            _ = compareApart()
        case .outOfReach:
            state.withLock { $0.awayUntil = Self.now + Self.nanoseconds(Self.patienceOfListener) }
        case .deaf: break
        }
    }

    private static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: Comparison

    /// The shortest pause after a comparison, in seconds.
    private static let shortestRest = 1.0
    /// The pause is so many times as long as the comparison.
    private static let restFactor = 4.0
    /// The seconds after a failed comparison in which calls begin no other one.
    private static let restAfterFailure = 10.0
    /// The seconds that a caller waits for a comparison of a copy that is there. Short programs would never finish one if
    /// nobody waited.
    private static let patienceOfCaller = 0.2
    /// How often, at intervals of 50 ms, a comparison tries again while another process compares.
    private static let mostAttempts = 200

    /// Makes the next call compare the copy.
    private func makeDue() {
        state.withLock { ($0.comparedAt, $0.isKnownOld, $0.restsUntil) = (0, true, 0) }
    }

    /// Compares the copy unless another process has done so lately.
    private func compareIfOld() {
        do throws(StoreError) {
            let keychain = try shared.openedKeychain()
            let isOfThisKeychain = !keychain.isEmpty && replica.keychain == keychain
            let (isFirst, isAtRest) = state.withLock { state in
                (state.comparedAt == 0 && !state.isObserved && !state.isKnownOld, state.restsUntil > Self.now)
            }
            if isFirst, isOfThisKeychain, let age = replica.age, age < Self.greatestAge {
                return state.withLock { $0.comparedAt = Self.now }
            }
            guard isOfThisKeychain else {
                // The caller makes it: a program that ends soon would leave none.
                if !isAtRest, begin() { goOn(waits: false) }
                return
            }
            let ended = DispatchSemaphore(value: 0)
            let isBegun = compareApart { ended.signal() }
            if isBegun, !isAtRest { _ = ended.wait(timeout: .now() + Self.patienceOfCaller) }
        } catch {
            return
        }
    }

    /// Begins a comparison on a thread of its own. If one is in progress, another one follows it.
    ///
    /// - Parameter ended: Called when the first comparison has ended.
    /// - Returns: Whether it has begun.
    private func compareApart(_ ended: @escaping @Sendable () -> Void = {}) -> Bool {
        guard begin() else { return false }
        if DetachedThread.start({ [self] in goOn(waits: true, ended) }) { return true }
        state.withLock { ($0.comparing, $0.comparedAt) = (0, 0) }
        return false
    }

    /// Whether the caller is to compare. If a comparison is in progress, another one follows it.
    private func begin() -> Bool {
        let own = getpid()
        return state.withLock { state in
            if state.comparing == own {
                state.isComparisonStale = true
                return false
            }
            state.comparing = own
            return true
        }
    }

    /// Makes the copy equal to the shared store. Changes that arrive meanwhile are compared afterwards, on another thread
    /// if the caller is to wait for one comparison only.
    ///
    /// - Parameters:
    ///   - waits: Whether this is a thread of its own. It waits for the end of a pause, and while another process compares,
    ///     which may not learn of the newest change.
    ///   - ended: Called when the first comparison has ended.
    private func goOn(waits: Bool, _ ended: () -> Void = {}) {
        var isFirst = true
        while true {
            if waits { rest() }
            state.withLock { $0.isComparisonStale = false }
            let isEqual = compareOnce(waits)
            if isFirst { ended() }
            isFirst = false
            let isStale = state.withLock { state in
                state.comparedAt = isEqual ? Self.now : 0
                state.isKnownOld = !isEqual
                if isEqual, state.isComparisonStale, waits { return true }
                state.comparing = 0
                return isEqual && state.isComparisonStale
            }
            if !isStale { return }
            if !waits {
                _ = compareApart()
                return
            }
        }
    }

    private func rest() {
        while true {
            let (now, end) = (Self.now, state.withLock { $0.restsUntil })
            if end <= now { return }
            usleep(UInt32(min((end - now) / 1_000 + 1, 500_000)))
        }
    }

    /// - Returns: Whether the copy is now equal to what the shared store had at the beginning.
    private func compareOnce(_ waits: Bool) -> Bool {
        let start = Self.now
        var isEqual = false, pause = Self.shortestRest
        do throws(StoreError) {
            for attempt in 1...(waits ? Self.mostAttempts : 1) where !isEqual {
                if attempt > 1 { usleep(50_000) }
                isEqual = try replica.compare(with: shared)
            }
            if isEqual { pause = max(pause, Double(Self.now - start) / 1e9 * Self.restFactor) }
        } catch {
            if error.isOutOfReach {
                lostWithoutListening()
            } else {
                pause = Self.restAfterFailure
                warn(error)
            }
        }
        state.withLock { $0.restsUntil = Self.now + Self.nanoseconds(pause) }
        return isEqual
    }

    private func lostWithoutListening() {
        state.withLock { $0.awayUntil = Self.now + Self.nanoseconds($0.patience) }
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
