// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lets one thread at a time do something that may have to wait for a person.
///
/// Other threads wait until it is done. A caller that must not prompt does not wait for a prompt either: as soon as the
/// thread that has the turn prompts, such a caller is turned away. A thread that asks for the turn again while it has
/// it (for example in a closure that gives a passphrase) is turned away too; otherwise it would wait for ever.
package final class Turn: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Guarded by `mutex`.
    private var holder: pthread_t?
    private var questions = 0

    /// All turns that threads hold at present.
    private static let taken = LockedValue<[Turn]>([])

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Waits for the turn. ``leave()`` passes it on.
    ///
    /// - Parameters:
    ///   - mayAsk: Whether the caller may wait for a person.
    ///   - seconds: The greatest time to wait.
    /// - Throws: ``StoreError/Code/locked`` if the caller cannot have the turn.
    package func take(mayAsk: Bool, patience seconds: Int = 150) throws(StoreError) {
        let reason = waitForTurn(mayAsk, seconds)
        if let reason { throw StoreError(.locked, reason) }
        Self.taken.withLock { $0.append(self) }
    }

    /// The reason why the caller cannot have the turn, or nil if it has it.
    private func waitForTurn(_ mayAsk: Bool, _ seconds: Int) -> String? {
        var deadline = SystemClock.timespec(SystemClock.awake(plus: Double(seconds)))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if holder == pthread_self() { return "the keychain is being opened or unlocked by the caller of this" }
        while holder != nil {
            if questions > 0 && !mayAsk {
                return "another thread is waiting for a person to unlock the keychain, and this call must not ask"
            }
            if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
                return "another thread has been opening or unlocking the keychain for too long"
            }
        }
        holder = pthread_self()
        questions = 0
        return nil
    }

    /// Passes the turn on.
    package func leave() {
        Self.taken.withLock { $0.removeAll { $0 === self } }
        pthread_mutex_lock(mutex)
        if holder == pthread_self() { holder = nil }
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    /// Runs `body`, which waits for a person. Callers that must not wait for one are turned away.
    package static func whileAsking<Result>(_ body: () throws -> Result) rethrows -> Result {
        let own = taken.withLock { $0 }.filter(\.isOwn)
        for turn in own { turn.count(1) }
        defer { for turn in own { turn.count(-1) } }
        return try body()
    }

    /// Whether the calling thread holds any turn.
    package static var callerHasOne: Bool { taken.withLock { $0 }.contains(where: \.isOwn) }

    private var isOwn: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return holder == pthread_self()
    }

    private func count(_ change: Int) {
        pthread_mutex_lock(mutex)
        questions += change
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}
