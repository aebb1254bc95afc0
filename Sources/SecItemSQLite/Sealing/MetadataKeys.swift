import Crypto
import SecItemStore

/// What can be done with one metadata key: blind values, seal attributes, vouch for a row.
struct MetadataKeys: Sendable {
    private let index: SymmetricKey
    private let row: SymmetricKey
    let attributes: SymmetricKey

    init(_ key: SymmetricKey) {
        index = key.derived("secitem/1 blind index")
        row = key.derived("secitem/1 row")
        attributes = key.derived("secitem/1 attributes")
    }

    /// The blind of what the transcript holds.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        try Blind(authenticating: transcript, with: index)
    }

    /// What vouches for a row.
    func rowCode(_ transcript: Transcript) throws(StoreError) -> Blind {
        try Blind(authenticating: transcript, with: row)
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

extension Blind {
    /// HMAC-SHA256, truncated.
    init(authenticating transcript: Transcript, with key: SymmetricKey) throws(StoreError) {
        let code = HMAC<SHA256>.authenticationCode(for: transcript.bytes, using: key)
        guard let blind = code.withUnsafeBytes({ Blind(prefixOf: $0) }) else {
            throw StoreError(.io, "authenticating failed")
        }
        self = blind
    }
}
