// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore
import Security

/// The entries of a dictionary, in memory and in the keychain.
///
/// Whoever calls the keychain has the turn to do so, and no lock: a call may ask a person, and what it calls (a closure that
/// gives the passphrase, a log handler) may use the same dictionary. Reading what is in memory waits for nobody. Memory
/// never shows what the keychain refused.
final class PersistentContents: Sendable {
    private struct State {
        /// Nil once the dictionary was forgotten.
        var item: DictionaryItem?
        /// Nil until they could be read: entries that could not be read must not be overwritten.
        var entries: DictionaryEntries?
        var failure: KCMutableDictionaryError?
    }

    private let state: ForkableState<State>
    /// Whose turn it is to call the keychain.
    private let turn = Turn()
    /// How many seconds to wait for another thread's turn: longer than a call waits for a person.
    private static let patience = 150

    /// - Parameter item: Where the entries live, nil for nowhere: then nothing can be stored.
    init(item: DictionaryItem?) {
        state = ForkableState(State(item: item))
    }

    /// Why the last call found or changed nothing.
    var lastError: KCMutableDictionaryError? {
        state.withLock { $0.failure }
    }

    /// The entries, none when they cannot be read.
    var snapshot: DictionaryEntries {
        if let entries = inMemory { return entries }
        return (try? recording { () throws(KCMutableDictionaryError) in try loaded() }) ?? .none
    }

    /// Changes the entries, here and in the keychain or not at all.
    func change(_ body: (inout [ExactText: PropertyList]) -> Void) throws(KCMutableDictionaryError) {
        try recording { () throws(KCMutableDictionaryError) in
            guard let item = state.withLock({ $0.item }) else { throw .forgotten }
            try change(item, body)
            // What counts is what the keychain has now. If it cannot say, the next call asks again.
            publish((try? item.read()).flatMap { try? DictionaryEntries($0.entries) })
        }
    }

    /// How often to begin anew when other processes write between. Each time somebody's change was stored.
    private static let attempts = 1_000

    /// What other processes have stored meanwhile stays.
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

    /// Remembers why a change was not even tried.
    func refuse(_ error: KCMutableDictionaryError) {
        state.withLock { $0.failure = error }
    }

    /// Drops the entries from memory.
    func forget() {
        state.withLock { $0 = State() }
    }

    /// The entries when they are in memory; then the last call has succeeded.
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
        // Where there is no item yet, the first change makes one.
        let stored = try item.read()?.entries ?? [:]
        guard let found = try? DictionaryEntries(stored) else { throw .damaged }
        publish(found)
        return found
    }

    /// Keeps the entries, unless the dictionary was forgotten meanwhile.
    private func publish(_ entries: DictionaryEntries?) {
        state.withLock { if $0.item != nil { $0.entries = entries } }
    }

    /// Runs `body` when it is this thread's turn, and remembers what came of it.
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

    /// - Throws: ``KCMutableDictionaryError`` with `errSecInteractionNotAllowed` when the caller is inside a call of the
    ///   keychain's itself and would wait for that, or when another thread's turn takes too long.
    private func inTurn<Result>(
        _ body: () throws(KCMutableDictionaryError) -> Result
    ) throws(KCMutableDictionaryError) -> Result {
        do throws(StoreError) {
            // Two who each have a turn and wait for the other's would wait for ever.
            try turn.take(mayAsk: true, patience: Turn.callerHasOne ? 0 : Self.patience)
        } catch {
            throw .keychain(errSecInteractionNotAllowed)
        }
        defer { turn.leave() }
        return try body()
    }
}
