// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The available keys at one moment. A set never changes; it is replaced. An operation continues with the set that it
/// began with, and the last user of a key wipes it.
package final class KeySet: Sendable {
    private let keys: KeyTable<Secret>
    private let alwaysMetadata: MetadataKeys
    private let mainMetadata: MetadataKeys?

    /// - Throws: ``StoreError/Code/corrupt`` without the keys of items that are always accessible.
    package convenience init(_ keys: KeyTable<Secret>) throws(StoreError) {
        guard let always = keys[.alwaysMetadata] else { throw StoreHeader.damaged }
        self.init(keys, MetadataKeys(always), keys[.metadata].map { MetadataKeys($0) })
    }

    private init(_ keys: KeyTable<Secret>, _ alwaysMetadata: MetadataKeys, _ mainMetadata: MetadataKeys?) {
        self.keys = keys
        self.alwaysMetadata = alwaysMetadata
        self.mainMetadata = mainMetadata
    }

    /// The keys for an item's attributes and look-ups; nil before the first unlock.
    package func metadata(_ domain: KeyDomain) -> MetadataKeys? {
        switch domain {
        case .main: mainMetadata
        case .always: alwaysMetadata
        }
    }

    /// The key for secrets of that protection class; nil when it is locked.
    func secretKey(for accessible: Accessible) -> Secret? {
        KeyName(sealingSecretsOf: accessible).flatMap { keys[$0] }
    }

    /// The key of that name; nil when it is locked.
    package func key(_ name: KeyName) -> Secret? { keys[name] }

    /// Whether the keys of "when unlocked" items are available.
    package var isUnlocked: Bool { keys[.whenUnlocked] != nil }

    package func adding(_ more: KeyTable<Secret>) throws(StoreError) -> KeySet {
        try KeySet(keys.adding(more))
    }

    package func locked() -> KeySet {
        KeySet(keys.filter { $0.availability != .whenUnlocked }, alwaysMetadata, mainMetadata)
    }

    /// The set of keys for items that are always accessible.
    package func alwaysOnly() -> KeySet {
        KeySet(keys.filter { $0.availability == .always }, alwaysMetadata, nil)
    }

    // MARK: Between first unlock and restart

    /// The keys that outlive this process until the machine restarts; nil before the first unlock.
    package var cacheContent: Secret? { packed(KeyName.cached, behind: [Self.cacheVersion]) }

    /// The keys in the bytes of ``cacheContent``, or nil if they are something else.
    package static func keys(cacheContent content: Secret) -> KeyTable<Secret>? {
        content.withUnsafeBytes { $0.first == cacheVersion ? unpacked(KeyName.cached, $0.dropFirst()) : nil }
    }

    /// The keys of those names, one after another, after some other bytes; nil if one of them is locked.
    package func packed(_ names: [KeyName], behind head: [UInt8]) -> Secret? {
        let packed = names.compactMap { keys[$0] }
        guard packed.count == names.count else { return nil }
        return Secret(count: head.count + Secret.keyByteCount * packed.count) { target in
            target.copyBytes(from: head)
            for (index, key) in packed.enumerated() {
                let start = head.count + Secret.keyByteCount * index
                key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: $0) }
            }
        }
    }

    /// The keys of those names from such bytes, or nil if their number is wrong.
    package static func unpacked(_ names: [KeyName], _ bytes: Slice<UnsafeRawBufferPointer>) -> KeyTable<Secret>? {
        guard bytes.count == Secret.keyByteCount * names.count else { return nil }
        var result = KeyTable<Secret>()
        for (index, name) in names.enumerated() {
            let start = bytes.startIndex + Secret.keyByteCount * index
            result[name] = Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Secret.keyByteCount]))
        }
        return result
    }

    private static let cacheVersion: UInt8 = 1
}
