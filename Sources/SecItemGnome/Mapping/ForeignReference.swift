// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Foundation
import SecItemBus

/// The references of other programs' items: UUIDs made of digests (version 8, ``PersistentReference/isOfAnotherProgram``).
enum ForeignReference {
    /// The first four bytes. They depend only on the path, so that the item of a reference is found without reading all
    /// items.
    static func mark(of path: String) -> [UInt8] {
        Array(Digest.sha256(path).prefix(4))
    }

    /// The reference of the item with that path and these attributes.
    static func uuid(path: String, parts: [String]) -> UUID {
        let content = Digest.sha256(([path] + parts).joined(separator: "\0"))
        return UUID(bytes: mark(of: path) + content.prefix(12))
    }

    /// Whether a reference may be that of the item at that path.
    static func isOf(_ uuid: UUID, path: String) -> Bool {
        let (first, second, third, fourth) = (uuid.uuid.0, uuid.uuid.1, uuid.uuid.2, uuid.uuid.3)
        return [first, second, third, fourth] == mark(of: path)
    }
}

private enum Digest {
    static func sha256(_ text: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var length = bytes.count
        let checksum = glib.g_checksum_new(SECITEM_G_CHECKSUM_SHA256)
        defer { glib.g_checksum_free(checksum) }
        let content = Array(text.utf8)
        glib.g_checksum_update(checksum, content, content.count)
        glib.g_checksum_get_digest(checksum, &bytes, &length)
        return bytes
    }
}

extension UUID {
    /// Source: RFC 9562, version 8.
    fileprivate init(bytes: [UInt8]) {
        let b = bytes
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6] & 0x0f | 0x80, b[7], b[8] & 0x3f | 0x80, b[9], b[10], b[11],
                b[12], b[13], b[14], b[15]
            )
        )
    }
}
