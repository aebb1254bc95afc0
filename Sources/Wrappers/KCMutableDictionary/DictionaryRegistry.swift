// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore

/// The dictionaries of this process: one object, and one set of contents, for each item.
///
/// Contents are shared by all objects of an item. A subclass has objects of its own, which show the same entries.
enum DictionaryRegistry {
    private struct Entry {
        let contents: PersistentContents
        /// The one object of the class itself, once somebody has asked for it.
        var dictionary: KCMutableDictionary?
    }

    /// By the item's service.
    private static let state = ForkableState<[ExactText: Entry]>([:])

    static func contents(of item: DictionaryItem) -> PersistentContents {
        let service = ExactText(item.service)
        if let known = state.withLock({ $0[service]?.contents }) { return known }
        // Made outside the lock, as it registers for forks. Another thread may have been faster.
        let new = PersistentContents(item: item)
        return state.withLock { entries in
            if let known = entries[service]?.contents { return known }
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
                // It may have been forgotten meanwhile.
                guard entries[service]?.contents === contents else { return nil }
                if let faster = entries[service]?.dictionary { return faster }
                entries[service]?.dictionary = new
                return new
            }
            if let kept { return kept }
        }
    }

    static func remove(_ contents: PersistentContents) {
        // What goes is let go outside the lock.
        let gone = state.withLock { entries in
            let gone = entries.filter { $0.value.contents === contents }
            for service in gone.keys { entries[service] = nil }
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}
