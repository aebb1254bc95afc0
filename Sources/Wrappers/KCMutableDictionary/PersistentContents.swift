import Foundation
import KeychainCoding

/// The entries of a dictionary, in memory and in the keychain.
///
/// One lock covers both, so that memory never shows what the keychain refused.
final class PersistentContents: @unchecked Sendable {
    private let lock = NSLock()
    /// Nil once the dictionary was forgotten.
    private var item: DictionaryItem?
    /// Nil until they could be read: entries that could not be read must not be overwritten.
    private var entries: DictionaryEntries?
    private var failure: KCMutableDictionaryError?

    /// - Parameter item: Where the entries live, nil for nowhere: then nothing can be stored.
    init(item: DictionaryItem?) {
        self.item = item
    }

    /// Why the last call found or changed nothing.
    var lastError: KCMutableDictionaryError? {
        lock.withLock { failure }
    }

    /// The entries, none when they cannot be read.
    var snapshot: DictionaryEntries {
        (try? recording { () throws(KCMutableDictionaryError) in try loaded() }) ?? .none
    }

    /// Changes the entries, here and in the keychain or not at all.
    func change(_ body: (inout [String: PropertyList]) -> Void) throws(KCMutableDictionaryError) {
        try recording { () throws(KCMutableDictionaryError) in
            var changed = try loaded().values
            body(&changed)
            guard let item else { throw .forgotten }
            try item.write(changed)
            // What counts is what the keychain has now.
            entries = DictionaryEntries(try item.read() ?? changed)
        }
    }

    /// Remembers why a change was not even tried.
    func refuse(_ error: KCMutableDictionaryError) {
        lock.withLock { failure = error }
    }

    /// Drops the entries from memory.
    func forget() {
        lock.withLock {
            item = nil
            entries = nil
            failure = nil
        }
    }

    private func loaded() throws(KCMutableDictionaryError) -> DictionaryEntries {
        if let entries { return entries }
        guard let item else { throw .forgotten }
        let stored: DictionaryEntries
        if let found = try item.read() {
            stored = DictionaryEntries(found)
        } else {
            try item.add([:])
            stored = DictionaryEntries(try item.read() ?? [:])
        }
        entries = stored
        return stored
    }

    private func recording<Result>(
        _ body: () throws(KCMutableDictionaryError) -> Result
    ) throws(KCMutableDictionaryError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        do throws(KCMutableDictionaryError) {
            let result = try body()
            failure = nil
            return result
        } catch {
            failure = error
            throw error
        }
    }
}
