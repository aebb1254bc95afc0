// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random bytes for keys and for names that must never repeat.
///
/// Every random number of this package comes from `getrandom(2)`: directly here (the store's keys, identifiers), and in
/// swift-crypto (nonces, session keys) through `SystemRandomNumberGenerator` or through BoringSSL. That call needs no
/// file. This code does not use Foundation's `UUID()`, which reads `/dev/urandom`. Where that file cannot be opened (in
/// a chroot, in a process without free descriptors), `UUID()` gives the same identifier every time.
package enum RandomBytes {
    /// That many random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes(fill)
        return bytes
    }

    /// Fills the memory with random bytes.
    package static func fill(_ target: UnsafeMutableRawBufferPointer) {
        var generator = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: target.count, by: 8) {
            withUnsafeBytes(of: generator.next()) { word in
                for index in start..<min(start + 8, target.count) { target[index] = word[index - start] }
            }
        }
    }

    /// A random UUID (version 4 of RFC 9562).
    package static func uuid() -> UUID {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// A random name of 32 hexadecimal digits.
    package static func name() -> String {
        bytes(16).hexadecimal
    }
}
