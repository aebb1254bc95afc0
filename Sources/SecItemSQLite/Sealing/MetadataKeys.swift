import SecItemStore

/// What can be done with one metadata key: blind values, seal attributes, vouch for a row.
struct MetadataKeys: Sendable {
    private let index: KeyedDigest
    private let row: KeyedDigest
    let attributes: Secret

    init(_ key: Secret) throws(StoreError) {
        index = try KeyedDigest(key.derived("secitem/1 blind index", afterFork: .wiped))
        row = try KeyedDigest(key.derived("secitem/1 row", afterFork: .wiped))
        attributes = try key.derived("secitem/1 attributes")
    }

    /// The blind of what the transcript holds.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        try index.blind(transcript)
    }

    /// What vouches for a row.
    func rowCode(_ transcript: Transcript) throws(StoreError) -> Blind {
        try row.blind(transcript)
    }
}
