import Crypto
import SecItemStore

/// What can be done with one metadata key: blind values, seal attributes, vouch for a row.
struct MetadataKeys: Sendable {
    private let index: KeyedDigest
    private let row: KeyedDigest
    let attributes: SymmetricKey

    init(_ key: SymmetricKey) {
        index = KeyedDigest(key.derived("secitem/1 blind index"))
        row = KeyedDigest(key.derived("secitem/1 row"))
        attributes = key.derived("secitem/1 attributes")
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

extension SymmetricKey {
    /// A new random key.
    static func random() -> SymmetricKey {
        SymmetricKey(size: .bits256)
    }

    /// A key that depends on this one and on what it is for.
    func derived(_ purpose: String, salt: [UInt8] = []) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: self, salt: salt, info: Array(purpose.utf8), outputByteCount: 32)
    }

    /// Eight bytes that tell whether two keys are the same, and nothing else about them.
    var checkValue: [UInt8] {
        HMAC<SHA256>.authenticationCode(for: Array("secitem/1 key check".utf8), using: self).prefix(8).map(\.self)
    }
}

/// HMAC-SHA256 (RFC 2104) under one key, with the key's part of the work done once: a look-up takes several.
struct KeyedDigest: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    init(_ key: SymmetricKey) {
        inner = Self.start(key, 0x36)
        outer = Self.start(key, 0x5c)
    }

    private static func start(_ key: SymmetricKey, _ pad: UInt8) -> SHA256 {
        let block = Secret(count: SHA256.blockByteCount) { block in
            // Every key here has 32 bytes, less than a block.
            key.withUnsafeBytes { block.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(block.count))) }
            for index in block.indices { block[index] ^= pad }
        }
        var digest = SHA256()
        block.withUnsafeBytes { digest.update(bufferPointer: $0) }
        return digest
    }

    /// The first half of the digest.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        var inner = inner, outer = outer
        transcript.bytes.withUnsafeBytes { inner.update(bufferPointer: $0) }
        inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
        guard let blind = outer.finalize().withUnsafeBytes({ Blind(prefixOf: $0) }) else {
            throw StoreError(.io, "authenticating failed")
        }
        return blind
    }
}

extension Blind {
    /// HMAC-SHA256, truncated.
    init(authenticating transcript: Transcript, with key: SymmetricKey) throws(StoreError) {
        self = try KeyedDigest(key).blind(transcript)
    }
}
