// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

extension ItemRecord {
    /// The value of `kSecAttrSHA1`: a digest of the attributes that look-ups return and of the secrets.
    ///
    /// It is computed on request and never stored, because it would reveal whether two items have the same secret. Its
    /// bytes differ from those of Apple's keychain, which digests another encoding.
    var digest: Data {
        var hasher = Insecure.SHA1()
        for row in ItemSchema.schema(of: itemClass).rows {
            if row.roles.contains(.copyResult), let value = attributes[row.attribute] {
                hasher.update(row.attribute, value.matchKey.bytes.count)
                hasher.update(data: value.matchKey.bytes)
            }
        }
        for (attribute, secret) in secrets.sorted(by: { $0.key.fourCharCode < $1.key.fourCharCode }) {
            hasher.update(attribute, secret.count)
            secret.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        return Data(hasher.finalize())
    }
}

extension Insecure.SHA1 {
    fileprivate mutating func update(_ attribute: ItemAttribute, _ length: Int) {
        withUnsafeBytes(of: attribute.fourCharCode.bigEndian) { update(bufferPointer: $0) }
        withUnsafeBytes(of: UInt64(length).bigEndian) { update(bufferPointer: $0) }
    }
}
