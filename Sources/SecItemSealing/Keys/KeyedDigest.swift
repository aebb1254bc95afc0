// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// HMAC-SHA256 under one key, which a copy of this value has ready.
struct KeyedDigest: Sendable {
    private let keyed: HMAC<SHA256>

    init(_ key: Secret) {
        keyed = HMAC(key: key.symmetricKey)
    }

    /// The first half of the digest.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        let blind = transcript.bytes.withUnsafeBytes { bytes in
            code(of: bytes).withUnsafeBytes { Blind(prefixOf: $0) }
        }
        guard let blind else { throw StoreError(.io, "authenticating failed") }
        return blind
    }

    /// The first bytes of the digest of `purpose`.
    func check(_ purpose: String, byteCount: Int) -> [UInt8] {
        Array(code(of: Data(purpose.utf8)).prefix(byteCount))
    }

    private func code(of bytes: some DataProtocol) -> HMAC<SHA256>.MAC {
        var digest = keyed
        digest.update(data: bytes)
        return digest.finalize()
    }
}

extension Blind {
    /// HMAC-SHA256, truncated.
    init(authenticating transcript: Transcript, with key: Secret) throws(StoreError) {
        self = try KeyedDigest(key).blind(transcript)
    }
}
