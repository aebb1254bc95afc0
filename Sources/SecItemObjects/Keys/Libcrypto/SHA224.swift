// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// SHA-224 by OpenSSL, for swift-crypto's key derivation. Use it only if OpenSSL is available.
struct SHA224: HashFunction {
    struct Digest: Crypto.Digest {
        fileprivate let bytes: [UInt8]

        static var byteCount: Int { 28 }

        var description: String { "SHA224 digest" }

        func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }

        func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
    }

    static var blockByteCount: Int { 64 }

    /// The data so far: keys and short messages.
    private var message: [UInt8] = []

    init() {}

    mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        message.append(contentsOf: bufferPointer)
    }

    func finalize() -> Digest {
        Digest(bytes: Libcrypto.shared?.sha224(message) ?? [])
    }
}
