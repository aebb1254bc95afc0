import Foundation

/// The dictionaries of this process: one object for each item.
final class DictionaryRegistry: @unchecked Sendable {
    static let shared = DictionaryRegistry()

    private let lock = NSLock()
    private var dictionaries: [String: KCMutableDictionary] = [:]

    func dictionary(of item: DictionaryItem) -> KCMutableDictionary {
        lock.withLock {
            if let dictionary = dictionaries[item.service] { return dictionary }
            let dictionary = KCMutableDictionary(item: item)
            dictionaries[item.service] = dictionary
            return dictionary
        }
    }

    func remove(_ dictionary: KCMutableDictionary) {
        lock.withLock {
            dictionaries = dictionaries.filter { $0.value !== dictionary }
        }
    }
}
