// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore
import Security

/// The entries of a dictionary, in memory and in the keychain.
///
/// A thread that calls the keychain has the turn to do so, and holds no lock: the call may prompt, and the code that it
/// calls (a closure that gives the passphrase, a log handler) may use the same dictionary. Reading from memory never
/// waits. Memory never shows a change that the keychain refused.
final class PersistentContents: Sendable {
    private struct State {
        /// Nil after `forget()`.
        var item: DictionaryItem?
        /// Nil until the entries were read. Entries that could not be read must not be overwritten.
        var entries: DictionaryEntries?
        var failure: KCMutableDictionaryError?
    }

    private let state: LockedValue<State>
    /// The turn to call the keychain.
    private let turn = Turn()
    /// How many seconds to wait for the turn: longer than a call waits for a person.
    private static let patience = 150

    /// - Parameter item: The item that holds the entries. With nil, nothing can be stored.
    init(item: DictionaryItem?) {
        state = LockedValue(State(item: item))
    }

    /// The error of the last call.
    var lastError: KCMutableDictionaryError? {
        state.withLock { $0.failure }
    }

    /// The entries; none if they cannot be read.
    var snapshot: DictionaryEntries {
        if let entries = inMemory { return entries }
        return (try? recording { () throws(KCMutableDictionaryError) in try loaded() }) ?? .none
    }

    /// Changes the entries both in memory and in the keychain, or neither.
    func change(_ body: (inout [ExactText: PropertyList]) -> Void) throws(KCMutableDictionaryError) {
        try recording { () throws(KCMutableDictionaryError) in
            guard let item = state.withLock({ $0.item }) else { throw .forgotten }
            try change(item, body)
            // The keychain's present content decides. If it cannot be read, the next call reads it again.
            publish((try? item.read()).flatMap { try? DictionaryEntries($0.entries) })
        }
    }

    /// How often to retry if other processes write in between. Each retry means that somebody's change was stored.
    private static let attempts = 1_000

    /// Changes that other processes have stored meanwhile are kept.
    private func change(
        _ item: DictionaryItem, _ body: (inout [ExactText: PropertyList]) -> Void
    ) throws(KCMutableDictionaryError) {
        for _ in 0..<Self.attempts {
            let content = try item.read()
            var changed = content?.entries ?? [:]
            body(&changed)
            if try item.write(changed, replacing: content) { return }
        }
        throw .keychain(errSecNotAvailable)
    }

    /// Records why a change was not attempted.
    func refuse(_ error: KCMutableDictionaryError) {
        state.withLock { $0.failure = error }
    }

    /// Drops the entries from memory.
    func forget() {
        state.withLock { $0 = State() }
    }

    /// The entries, if they are in memory. Then the last call has succeeded.
    private var inMemory: DictionaryEntries? {
        state.withLock {
            if $0.entries != nil { $0.failure = nil }
            return $0.entries
        }
    }

    private func loaded() throws(KCMutableDictionaryError) -> DictionaryEntries {
        let (item, entries) = state.withLock { ($0.item, $0.entries) }
        if let entries { return entries }
        guard let item else { throw .forgotten }
        // If there is no item yet, the first change creates it.
        let stored = try item.read()?.entries ?? [:]
        guard let found = try? DictionaryEntries(stored) else { throw .damaged }
        publish(found)
        return found
    }

    /// Keeps the entries, unless `forget()` was called meanwhile.
    private func publish(_ entries: DictionaryEntries?) {
        state.withLock { if $0.item != nil { $0.entries = entries } }
    }

    /// Runs `body` when it is this thread's turn, and records the result.
    private func recording<Result>(
        _ body: () throws(KCMutableDictionaryError) -> Result
    ) throws(KCMutableDictionaryError) -> Result {
        do throws(KCMutableDictionaryError) {
            let result = try inTurn(body)
            state.withLock { $0.failure = nil }
            return result
        } catch {
            refuse(error)
            throw error
        }
    }

    /// - Throws: ``KCMutableDictionaryError`` with `errSecInteractionNotAllowed` if the caller runs inside a keychain
    ///   call that it would wait for, or if another thread keeps the turn for too long.
    private func inTurn<Result>(
        _ body: () throws(KCMutableDictionaryError) -> Result
    ) throws(KCMutableDictionaryError) -> Result {
        do throws(StoreError) {
            // Two threads that each have a turn and wait for the other's would wait for ever.
            try turn.take(mayAsk: true, patience: Turn.callerHasOne ? 0 : Self.patience)
        } catch {
            throw .keychain(errSecInteractionNotAllowed)
        }
        defer { turn.leave() }
        return try body()
    }
}
