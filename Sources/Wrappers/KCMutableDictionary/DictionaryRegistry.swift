// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore

/// The dictionaries of this process: one object, and one set of contents, for each item.
///
/// All objects of an item share its contents. A subclass has separate objects, which show the same entries.
enum DictionaryRegistry {
    private struct Entry {
        let contents: PersistentContents
        /// The one object of the class itself, created at the first request.
        var dictionary: KCMutableDictionary?
    }

    /// The key is the service of the item.
    private static let state = LockedValue<[ExactText: Entry]>([:])

    static func contents(of item: DictionaryItem) -> PersistentContents {
        let service = ExactText(item.service)
        return state.withLock { entries in
            if let known = entries[service]?.contents { return known }
            let new = PersistentContents(item: item)
            entries[service] = Entry(contents: new)
            return new
        }
    }

    static func dictionary(of item: DictionaryItem) -> KCMutableDictionary {
        let service = ExactText(item.service)
        while true {
            let contents = contents(of: item)
            if let known = state.withLock({ $0[service]?.dictionary }) { return known }
            let new = KCMutableDictionary(contents: contents)
            let kept: KCMutableDictionary? = state.withLock { entries in
                // `forget()` may have been called meanwhile.
                guard entries[service]?.contents === contents else { return nil }
                if let faster = entries[service]?.dictionary { return faster }
                entries[service]?.dictionary = new
                return new
            }
            if let kept { return kept }
        }
    }

    static func remove(_ contents: PersistentContents) {
        // Released outside the lock.
        let gone = state.withLock { entries in
            let gone = entries.filter { $0.value.contents === contents }
            for service in gone.keys { entries[service] = nil }
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}
