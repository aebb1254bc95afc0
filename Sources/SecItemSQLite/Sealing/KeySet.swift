import Crypto
import Foundation
import SecItemStore

/// The keys at hand at one moment. Never changed, only replaced: an operation goes on with the set it began with, and
/// the last to let go of a key wipes it.
final class KeySet: Sendable {
    private let keys: [KeyName: SymmetricKey]
    private let alwaysMetadata: MetadataKeys
    private let mainMetadata: MetadataKeys?

    /// Nil without the keys of what is always accessible.
    init?(_ keys: [KeyName: SymmetricKey]) {
        guard let always = keys[.alwaysMetadata] else { return nil }
        self.keys = keys
        alwaysMetadata = MetadataKeys(always)
        mainMetadata = keys[.metadata].map(MetadataKeys.init)
    }

    /// The keys for an item's attributes and look-ups; nil before the first unlock.
    func metadata(_ domain: KeyDomain) -> MetadataKeys? {
        switch domain {
        case .main: mainMetadata
        case .always: alwaysMetadata
        }
    }

    /// The key for secrets of that protection class; nil when it is locked.
    func secretKey(for accessible: Accessible) -> SymmetricKey? {
        KeyName(sealingSecretsOf: accessible).flatMap { keys[$0] }
    }

    /// Whether the keys of "when unlocked" items are here.
    var isUnlocked: Bool { keys[.whenUnlocked] != nil }

    /// The set with more keys.
    func adding(_ more: [KeyName: SymmetricKey]) -> KeySet {
        KeySet(keys.merging(more) { _, new in new }) ?? self
    }

    /// The set without those that locking takes away.
    func locked() -> KeySet {
        KeySet(keys.filter { $0.key.availability != .whenUnlocked }) ?? self
    }

    /// The set of what is always accessible.
    func alwaysOnly() -> KeySet {
        KeySet(keys.filter { $0.key.availability == .always }) ?? self
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
    static func keys(cacheContent content: Secret) -> [KeyName: SymmetricKey]? {
        content.withUnsafeBytes { bytes in
            guard bytes.count == 1 + 32 * KeyName.cached.count, bytes.first == cacheVersion else { return nil }
            var result: [KeyName: SymmetricKey] = [:]
            for (index, name) in KeyName.cached.enumerated() {
                let start = 1 + 32 * index
                result[name] = SymmetricKey(data: bytes[start..<start + 32])
            }
            return result
        }
    }

    private static let cacheVersion: UInt8 = 1
}
