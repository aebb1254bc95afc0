import Foundation
import KeychainCoding

/// The entries of a dictionary at one moment, as objects of Foundation's that stay the same.
///
/// Foundation's own code asks a dictionary for its objects and keeps none of them. Objects that were made for the question
/// would be gone when it looks at them.
final class DictionaryEntries: @unchecked Sendable {
    /// The entries as they are stored.
    let values: [String: PropertyList]
    let keys: [NSString]
    let objects: [NSObject]
    private let positions: [String: Int]

    static let none = DictionaryEntries([:])

    init(_ values: [String: PropertyList]) {
        let names = values.keys.sorted()
        self.values = values
        keys = names.map { $0 as NSString }
        objects = names.compactMap { values[$0]?.object }
        positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    subscript(key: String) -> NSObject? { positions[key].map { objects[$0] } }

    /// A dictionary of Foundation's with the same entries.
    var dictionary: NSDictionary { NSDictionary(objects: objects, forKeys: keys) }
}
