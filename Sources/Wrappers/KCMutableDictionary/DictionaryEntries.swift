// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding

/// The entries of a dictionary at one moment, as Foundation objects that stay alive.
///
/// Foundation's own code asks a dictionary for its objects without retaining them. Objects created for each request
/// would be released before Foundation uses them.
final class DictionaryEntries: @unchecked Sendable {
    /// The entries as they are stored.
    let values: [ExactText: PropertyList]
    let keys: [NSString]
    let objects: [NSObject]
    /// A Foundation dictionary with the same entries.
    let dictionary: NSDictionary
    private let positions: [ExactText: Int]

    static let none = DictionaryEntries()

    private init() {
        values = [:]
        keys = []
        objects = []
        dictionary = NSDictionary()
        positions = [:]
    }

    /// - Throws: ``CodingFailure`` if Foundation cannot tell two keys apart.
    init(_ values: [ExactText: PropertyList]) throws(CodingFailure) {
        let (names, objects, dictionary) = try PropertyList.objects(of: values)
        self.values = values
        self.objects = objects
        self.dictionary = dictionary
        keys = names.map { $0.string as NSString }
        positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    subscript(key: String) -> NSObject? { positions[ExactText(key)].map { objects[$0] } }
}
