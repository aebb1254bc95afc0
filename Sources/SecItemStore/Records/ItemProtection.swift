// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The conditions for the release of an item's secret: its protection class, its constraints, and, for a key, whether
/// the key may leave the keychain.
///
/// A store that writes attributes and secrets one after the other compares the protection before a change with the one
/// after it. This decides which of the two it has to write first.
package struct ItemProtection: Sendable {
    private let accessible: Accessible
    private let constraints: AccessConstraints?
    /// The attributes that keep a key inside the keychain.
    private let keepingInside: [ItemAttribute: AttributeValue]

    /// The protection of an item. The record must have its attributes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the constraints cannot be read.
    package init(of record: ItemRecord) throws(StoreError) {
        let forbidding = record.itemClass == .key ? record.attributes.filter(Self.forbidsLeaving) : [:]
        self.init(record.accessible, try record.constraints, forbidding)
    }

    private init(
        _ accessible: Accessible, _ constraints: AccessConstraints?, _ keepingInside: [ItemAttribute: AttributeValue]
    ) {
        self.accessible = accessible
        self.constraints = constraints
        self.keepingInside = keepingInside
    }

    /// Whether everybody who gets the secret under this protection would also get it under the other one.
    package func isAtLeast(_ other: ItemProtection) -> Bool {
        accessible.isAtLeast(other.accessible)
            && (other.constraints.map { constraints?.areAtLeast($0) ?? false } ?? true)
            && Set(keepingInside.keys).isSuperset(of: other.keepingInside.keys)
    }

    /// A protection that is at least as strict as both; nil if no item can have it.
    ///
    /// If the constraints offer alternatives, they can be joined only if those of one protection are stricter.
    package func joined(with other: ItemProtection) -> ItemProtection? {
        var constraints = constraints ?? other.constraints
        if let own = self.constraints, let others = other.constraints {
            guard let both = own.joined(with: others) else { return nil }
            constraints = both
        }
        return ItemProtection(
            accessible.joined(with: other.accessible), constraints,
            keepingInside.merging(other.keepingInside) { own, _ in own })
    }

    package var attributes: [ItemAttribute: AttributeValue] {
        var result = keepingInside
        result[.accessible] = .string(accessible.rawValue)
        result[.accessControl] = constraints.map { .data($0.encoded) }
        return result
    }

    /// As `SecKey` understands the attributes: a value that is not a number forbids too.
    private static func forbidsLeaving(_ attribute: ItemAttribute, _ value: AttributeValue) -> Bool {
        let truth: Bool? =
            switch value {
            case .integer(let number): number != 0
            case .real(let number): number != 0
            default: nil
            }
        return switch attribute {
        case .isExtractable: truth != true
        case .isSensitive: truth != false
        default: false
        }
    }
}

// MARK: The protection class

extension Accessible {
    /// How much must be unlocked before the secret can be read.
    private var demand: Int {
        switch self {
        case .always, .alwaysThisDeviceOnly: 0
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .untilReboot: 1
        case .whenUnlocked, .whenUnlockedThisDeviceOnly: 2
        case .whenPasscodeSetThisDeviceOnly: 3
        }
    }

    fileprivate func isAtLeast(_ other: Accessible) -> Bool {
        demand >= other.demand && (isOfThisDeviceOnly || !other.isOfThisDeviceOnly)
    }

    /// The weakest class that is at least as strict as both.
    fileprivate func joined(with other: Accessible) -> Accessible {
        if isAtLeast(other) { return self }
        if other.isAtLeast(self) { return other }
        // One demands more, and only the other one keeps the item on this device.
        return max(demand, other.demand) == 1 ? .afterFirstUnlockThisDeviceOnly : .whenUnlockedThisDeviceOnly
    }
}

// MARK: The constraints

/// One way to fulfil a condition.
private enum Proof: Hashable {
    case password
    case anyFinger
    /// A finger, as long as exactly this set of fingers is enrolled.
    case finger(of: Data?)

    func implies(_ other: Proof) -> Bool {
        if case .finger = self, other == .anyFinger { return true }
        return self == other
    }
}

extension AccessConstraints {
    /// The conditions, which must all be fulfilled. Each proof of a condition is enough for it.
    ///
    /// As when the library asks for the proofs, an item that is bound to a set of fingers never accepts other fingers.
    private var conditions: [Set<Proof>] {
        let finger = flags.contains(.biometryCurrentSet) ? Proof.finger(of: biometrySet) : .anyFinger
        let all: [(flag: Flags, proofs: Set<Proof>)] = [
            (.userPresence, [.password, finger]), (.biometryAny, [finger]), (.biometryCurrentSet, [finger]),
            (.devicePasscode, [.password]), (.companion, []),
        ]
        let conditions = all.filter { flags.contains($0.flag) }.map(\.proofs)
        guard flags.contains(.or), !conditions.isEmpty else { return conditions }
        return [conditions.reduce([]) { $0.union($1) }]
    }

    fileprivate func areAtLeast(_ other: AccessConstraints) -> Bool {
        if other.password != nil && password != other.password { return false }
        let marks: Flags = [.privateKeyUsage, .applicationPassword]
        guard flags.isSuperset(of: other.flags.intersection(marks)) else { return false }
        let own = conditions
        return other.conditions.allSatisfy { demanded in
            own.contains { proofs in proofs.allSatisfy { proof in demanded.contains { proof.implies($0) } } }
        }
    }

    /// Constraints that are at least as strict as both, and describe the same key as these; nil if there are none.
    fileprivate func joined(with other: AccessConstraints) -> AccessConstraints? {
        let alternatives = flags.union(other.flags).contains(.or)
        let candidates = [flags, other.flags] + (alternatives ? [] : [flags.union(other.flags).union(.and)])
        let bound = flags.contains(.biometryCurrentSet) ? biometrySet : other.biometrySet
        return candidates.lazy.compactMap {
            AccessConstraints(
                flags: $0, biometrySet: $0.contains(.biometryCurrentSet) ? bound : nil,
                password: password ?? other.password, publicKey: publicKey)
        }.first { $0.areAtLeast(self) && $0.areAtLeast(other) }
    }
}
