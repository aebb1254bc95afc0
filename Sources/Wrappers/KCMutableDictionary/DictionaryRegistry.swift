import Foundation

/// The dictionaries of this process: one object, and one set of contents, for each item.
///
/// Contents are shared by all objects of an item. A subclass has objects of its own, which show the same entries.
enum DictionaryRegistry {
    private struct Entry {
        let contents: PersistentContents
        /// The one object of the class itself, once somebody has asked for it.
        var dictionary: KCMutableDictionary?
    }

    nonisolated(unsafe) private static var entries: [String: Entry] = [:]
    private static let lock = NSRecursiveLock()

    static func contents(of item: DictionaryItem) -> PersistentContents {
        lock.withLock {
            if let entry = entries[item.service] { return entry.contents }
            let contents = PersistentContents(item: item)
            entries[item.service] = Entry(contents: contents, dictionary: nil)
            return contents
        }
    }

    static func dictionary(of item: DictionaryItem) -> KCMutableDictionary {
        lock.withLock {
            let contents = contents(of: item)
            if let dictionary = entries[item.service]?.dictionary { return dictionary }
            let dictionary = KCMutableDictionary(contents: contents)
            entries[item.service]?.dictionary = dictionary
            return dictionary
        }
    }

    static func remove(_ contents: PersistentContents) {
        lock.withLock {
            entries = entries.filter { $0.value.contents !== contents }
        }
    }
}
