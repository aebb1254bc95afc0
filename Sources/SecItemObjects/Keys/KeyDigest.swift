// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The digests of Apple's algorithms.
package enum KeyDigest: String, Sendable, CaseIterable {
    case sha1 = "SHA-1"
    case sha224 = "SHA-224"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    func hash(_ message: Data) -> Data {
        switch self {
        case .sha1: Insecure.SHA1.hash(data: message).data
        case .sha224: SHA224.hash(data: message).data
        case .sha256: SHA256.hash(data: message).data
        case .sha384: SHA384.hash(data: message).data
        case .sha512: SHA512.hash(data: message).data
        }
    }

    /// Passes a caller's digest to a function that needs swift-crypto's type for it.
    ///
    /// - Returns: nil if the digest has the wrong length, and for SHA-224, which swift-crypto does not have.
    func withTyped<R>(_ digest: Data, _ body: (any Crypto.Digest) throws -> R) rethrows -> R? {
        let typed: (any Crypto.Digest)? =
            switch self {
            case .sha1: filled(Insecure.SHA1.hash(data: Data()), with: digest)
            case .sha224: nil
            case .sha256: filled(SHA256.hash(data: Data()), with: digest)
            case .sha384: filled(SHA384.hash(data: Data()), with: digest)
            case .sha512: filled(SHA512.hash(data: Data()), with: digest)
            }
        return try typed.map(body)
    }

    /// Derives a key as ANSI X9.63 says: from digests of the secret, a counter and the shared data.
    func derivedKey(from secret: Secret, sharedInfo: Data, byteCount: Int) -> Data {
        var key = Data(capacity: byteCount + self.byteCount)
        defer { key.wipe() }
        var counter: UInt32 = 0
        while key.count < byteCount {
            counter += 1
            var input = Data(capacity: secret.count + 4 + sharedInfo.count)
            defer { input.wipe() }
            secret.withUnsafeBytes { input.append(contentsOf: $0) }
            withUnsafeBytes(of: counter.bigEndian) { input.append(contentsOf: $0) }
            input.append(sharedInfo)
            key.append(hash(input))
        }
        return key.withUnsafeBytes { Data($0.prefix(byteCount)) }
    }
}

extension Crypto.Digest {
    /// The bytes, copied at once. `Data(self)` copies them one by one.
    fileprivate var data: Data { withUnsafeBytes { Data($0) } }
}

/// Overwrites the bytes of a digest. swift-crypto cannot create a digest from given bytes, but its RSA functions need
/// the type.
///
/// - Returns: nil if the bytes have the wrong length. Also if a digest no longer began with its bytes, which a test
///   would detect.
private func filled<D: Crypto.Digest>(_ digest: D, with bytes: Data) -> D? {
    guard bytes.count == D.byteCount, MemoryLayout<D>.size >= D.byteCount else { return nil }
    var digest = digest
    withUnsafeMutableBytes(of: &digest) { $0.copyBytes(from: bytes) }
    return digest.elementsEqual(bytes) ? digest : nil
}

/// A digest of any length for ECDSA, which uses the bytes unchanged.
struct GivenDigest: Crypto.Digest {
    let bytes: Data

    /// swift-crypto reads the length of the bytes themselves.
    static var byteCount: Int { 0 }

    var description: String { "\(bytes.count) bytes" }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    func makeIterator() -> Data.Iterator { bytes.makeIterator() }
}
