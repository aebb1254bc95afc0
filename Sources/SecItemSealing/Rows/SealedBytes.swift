// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Bytes sealed with AES-256-GCM: the nonce, and the ciphertext followed by the tag.
///
/// They are separate because a nonce is never used twice, so it identifies the ciphertext. A row's authentication code
/// covers the nonces, and thereby the ciphertexts, without reading them.
package struct SealedBytes {
    static let nonceByteCount = 12
    static let tagByteCount = 16

    package let nonce: [UInt8]
    /// The ciphertext, followed by the tag.
    package let ciphertext: Data

    /// Seals the bytes, bound to `context`, under a nonce that swift-crypto takes from `getrandom(2)`.
    init(sealing plaintext: Secret, context: Transcript, with key: Secret) throws(StoreError) {
        do {
            let box = try plaintext.withUnsafeBytes { plaintext in
                try AES.GCM.seal(plaintext, using: key.symmetricKey, authenticating: context.bytes)
            }
            guard let combined = box.combined else { throw StoreError(.io, "sealing failed") }
            nonce = Array(combined.prefix(Self.nonceByteCount))
            ciphertext = combined.dropFirst(Self.nonceByteCount)
        } catch {
            throw StoreError(.io, "sealing failed", underlying: error)
        }
    }

    /// Opens sealed bytes; nil if the key, the context, the nonce or the ciphertext is a different one.
    static func open(
        nonce: UnsafeRawBufferPointer, ciphertext: UnsafeRawBufferPointer, context: Transcript, with key: Secret
    ) -> Opened? {
        guard nonce.count == nonceByteCount, ciphertext.count >= tagByteCount else { return nil }
        // In one piece, because swift-crypto would join three parts byte by byte.
        var combined = Data(capacity: nonce.count + ciphertext.count)
        combined.append(contentsOf: nonce)
        combined.append(contentsOf: ciphertext)
        guard let box = try? AES.GCM.SealedBox(combined: combined),
            let plaintext = try? AES.GCM.open(box, using: key.symmetricKey, authenticating: context.bytes)
        else { return nil }
        return Opened(plaintext)
    }

    /// Opens a nonce with the ciphertext after it.
    static func open(_ sealed: [UInt8], context: Transcript, with key: Secret) -> Opened? {
        sealed.withUnsafeBytes { sealed in
            open(
                nonce: UnsafeRawBufferPointer(rebasing: sealed.prefix(nonceByteCount)),
                ciphertext: UnsafeRawBufferPointer(rebasing: sealed.dropFirst(nonceByteCount)), context: context,
                with: key)
        }
    }

    /// Opened bytes, which are wiped when the last reference is released.
    final class Opened: Sendable {
        // Written only in `deinit`.
        private nonisolated(unsafe) var data: Data

        fileprivate init(_ data: consuming Data) {
            self.data = data
        }

        deinit {
            // The only reference to these bytes, so this writes them in place.
            data.withUnsafeMutableBytes { $0.wipe() }
        }

        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try data.withUnsafeBytes(body)
        }
    }
}
