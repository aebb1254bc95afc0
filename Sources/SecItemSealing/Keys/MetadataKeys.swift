// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The keys derived from one metadata key. They blind values, seal attributes and authenticate rows.
package struct MetadataKeys: Sendable {
    private let index: KeyedDigest
    private let row: KeyedDigest
    let attributes: Secret
    private let known = KnownBlinds()

    init(_ key: Secret) throws(StoreError) {
        index = try KeyedDigest(key.derived("secitem/1 blind index"))
        row = try KeyedDigest(key.derived("secitem/1 row"))
        attributes = try key.derived("secitem/1 attributes")
    }

    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        try index.blind(transcript)
    }

    /// The blind of one attribute's value, computed once if the next look-ups are likely to need it again. Most look-ups
    /// name the same group, and items that are neither synchronized nor deleted.
    func lastingBlind(
        _ value: MatchKey, of attribute: ItemAttribute, in itemClass: ItemClass
    ) throws(StoreError) -> Blind {
        let term = KnownBlinds.Term(value: value, attribute: attribute, itemClass: itemClass)
        if let blind = known[term] { return blind }
        let blind = try blind(value, of: attribute, in: itemClass)
        known[term] = blind
        return blind
    }

    /// The authentication code of a row.
    func rowCode(_ transcript: Transcript) throws(StoreError) -> Blind {
        try row.blind(transcript)
    }
}
