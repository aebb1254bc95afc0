import Foundation
import SecItemStore

/// The keys at hand at one moment. Never changed, only replaced: an operation goes on with the set it began with, and
/// the last to let go of a key wipes it.
final class KeySet: Sendable {
    private let keys: KeyTable<Secret>
    private let alwaysMetadata: MetadataKeys
    private let mainMetadata: MetadataKeys?

    /// Nil without the keys of what is always accessible.
    convenience init?(_ keys: KeyTable<Secret>) throws(StoreError) {
        guard let always = keys[.alwaysMetadata] else { return nil }
        self.init(
            keys, try MetadataKeys(always),
            try keys[.metadata].map { (key) throws(StoreError) in try MetadataKeys(key) })
    }

    private init(_ keys: KeyTable<Secret>, _ alwaysMetadata: MetadataKeys, _ mainMetadata: MetadataKeys?) {
        self.keys = keys
        self.alwaysMetadata = alwaysMetadata
        self.mainMetadata = mainMetadata
    }

    /// The keys for an item's attributes and look-ups; nil before the first unlock.
    func metadata(_ domain: KeyDomain) -> MetadataKeys? {
        switch domain {
        case .main: mainMetadata
        case .always: alwaysMetadata
        }
    }

    /// The key for secrets of that protection class; nil when it is locked.
    func secretKey(for accessible: Accessible) -> Secret? {
        KeyName(sealingSecretsOf: accessible).flatMap { keys[$0] }
    }

    /// Whether the keys of "when unlocked" items are here.
    var isUnlocked: Bool { keys[.whenUnlocked] != nil }

    /// The set with more keys.
    func adding(_ more: KeyTable<Secret>) throws(StoreError) -> KeySet {
        try KeySet(keys.adding(more)) ?? self
    }

    /// The set without those that locking takes away.
    func locked() -> KeySet {
        KeySet(keys.filter { $0.availability != .whenUnlocked }, alwaysMetadata, mainMetadata)
    }

    /// The set of what is always accessible.
    func alwaysOnly() -> KeySet {
        KeySet(keys.filter { $0.availability == .always }, alwaysMetadata, nil)
    }

    // MARK: Between first unlock and restart

    /// The keys that outlive this process until the machine restarts; nil before the first unlock.
    var cacheContent: Secret? {
        let cached = KeyName.cached.compactMap { keys[$0] }
        guard cached.count == KeyName.cached.count else { return nil }
        return Secret(count: 1 + 32 * cached.count) { target in
            target[0] = Self.cacheVersion
            for (index, key) in cached.enumerated() {
                let start = 1 + 32 * index
                key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: $0) }
            }
        }
    }

    /// The keys in what ``cacheContent`` gave, or nil when it is something else.
    static func keys(cacheContent content: Secret) -> KeyTable<Secret>? {
        content.withUnsafeBytes { bytes -> KeyTable<Secret>? in
            guard bytes.count == 1 + 32 * KeyName.cached.count, bytes.first == cacheVersion else { return nil }
            var result = KeyTable<Secret>()
            for (index, name) in KeyName.cached.enumerated() {
                let start = 1 + 32 * index
                result[name] = Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<start + 32]))
            }
            return result
        }
    }

    private static let cacheVersion: UInt8 = 1
}
