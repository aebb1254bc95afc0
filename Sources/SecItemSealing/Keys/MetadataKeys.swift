// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What can be done with one metadata key: blind values, seal attributes, vouch for a row.
package struct MetadataKeys: Sendable {
    private let index: KeyedDigest
    private let row: KeyedDigest
    let attributes: Secret
    private let known = KnownBlinds()

    init(_ key: Secret) throws(StoreError) {
        index = try KeyedDigest(key.derived("secitem/1 blind index", afterFork: .wiped))
        row = try KeyedDigest(key.derived("secitem/1 row", afterFork: .wiped))
        attributes = try key.derived("secitem/1 attributes")
    }

    /// The blind of what the transcript holds.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        try index.blind(transcript)
    }

    /// The blind of one attribute's value, which is worked out once where the next look-ups are likely to need it again: most
    /// ask for the same group, and for what is neither synchronized nor deleted.
    func lastingBlind(
        _ value: MatchKey, of attribute: ItemAttribute, in itemClass: ItemClass
    ) throws(StoreError) -> Blind {
        let term = KnownBlinds.Term(value: value, attribute: attribute, itemClass: itemClass)
        if let blind = known[term] { return blind }
        let blind = try blind(value, of: attribute, in: itemClass)
        known[term] = blind
        return blind
    }

    /// What vouches for a row.
    func rowCode(_ transcript: Transcript) throws(StoreError) -> Blind {
        try row.blind(transcript)
    }
}
