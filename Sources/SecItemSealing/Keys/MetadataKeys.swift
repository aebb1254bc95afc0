// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The keys derived from one metadata key. They blind values, seal attributes and authenticate rows.
package struct MetadataKeys: Sendable {
    private let index: KeyedDigest
    private let row: KeyedDigest
    let attributes: Secret
    private let knownValues = KnownBlinds<MatchKey>()
    private let knownKeys = KnownBlinds<[MatchKey]>()
    /// A longer value is not the name of anything that is looked up again and again, and is not kept.
    private static let greatestByteCount = 256

    init(_ key: Secret) {
        index = KeyedDigest(key.derived("secitem/1 blind index"))
        row = KeyedDigest(key.derived("secitem/1 row"))
        attributes = key.derived("secitem/1 attributes")
    }

    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        try index.blind(transcript)
    }

    /// The blind of one attribute's value, computed once if the next look-ups are likely to need it again. Most look-ups
    /// name the same group, and items that are neither synchronized nor deleted.
    func lastingBlind(
        _ value: MatchKey, of attribute: ItemAttribute, in itemClass: ItemClass
    ) throws(StoreError) -> Blind {
        guard value.bytes.count <= Self.greatestByteCount else { return try blind(value, of: attribute, in: itemClass) }
        return try knownValues.blind(value, code: attribute.fourCharCode, in: itemClass) { () throws(StoreError) in
            try blind(value, of: attribute, in: itemClass)
        }
    }

    /// The blind of the values of a natural key, computed once if the next look-ups ask for the same item.
    func lastingBlind(
        _ values: [MatchKey], ofNaturalKey index: Int, in itemClass: ItemClass
    ) throws(StoreError) -> Blind {
        guard values.allSatisfy({ $0.bytes.count <= Self.greatestByteCount }) else {
            return try blind(values, ofNaturalKey: index, in: itemClass)
        }
        let code = ItemIndex.code(ofNaturalKey: index)
        return try knownKeys.blind(values, code: code, in: itemClass) { () throws(StoreError) in
            try blind(values, ofNaturalKey: index, in: itemClass)
        }
    }

    /// The authentication code of a row.
    func rowCode(_ transcript: Transcript) throws(StoreError) -> Blind {
        try row.blind(transcript)
    }
}
