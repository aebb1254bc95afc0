// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Testing

/// Which of two protections is stricter, compared with all situations in which somebody may want the secret.
@Suite struct ItemProtectionTests {
    /// What somebody has who wants a secret.
    private struct Situation {
        let proofs: PresenceRequest.Methods
        let fingers: Data
        let knowsPassword: Bool

        static let all: [Situation] = (0..<4).flatMap { proofs in
            [Data([1]), Data([2]), Data([3])].flatMap { fingers in
                [false, true].map {
                    Situation(proofs: .init(rawValue: proofs), fingers: fingers, knowsPassword: $0)
                }
            }
        }

        func opens(_ constraints: AccessConstraints?) -> Bool {
            guard let constraints else { return true }
            var proofs = proofs
            if constraints.flags.contains(.biometryCurrentSet), constraints.biometrySet != fingers {
                if !constraints.flags.contains(.or) { return false }
                proofs.subtract(.biometry)
            }
            return (knowsPassword || constraints.password == nil)
                && constraints.flags.steps.allSatisfy { !$0.isDisjoint(with: proofs) }
        }

        /// The situations that open an item with these constraints, as bits.
        static func opening(_ constraints: AccessConstraints?) -> UInt32 {
            all.enumerated().reduce(0) { $0 | ($1.element.opens(constraints) ? 1 << UInt32($1.offset) : 0) }
        }
    }

    /// All constraints, on two sets of fingers, with one password or none.
    private static let constraints: [AccessConstraints?] = {
        let proofs: [AccessConstraints.Flags] = [.userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode]
        let derivation = AccessConstraints.PasswordDerivation(
            logarithmOfRounds: 4, blockSize: 8, parallelism: 1, salt: Data([1]))
        return [nil]
            + (1..<64).flatMap { number in
                var flags: AccessConstraints.Flags = number & 16 == 0 ? [] : .or
                for (index, proof) in proofs.enumerated() where number & 1 << index != 0 { flags.insert(proof) }
                let hasPassword = number & 32 != 0
                if hasPassword { flags.insert(.applicationPassword) }
                let sets: [Data?] = flags.contains(.biometryCurrentSet) ? [Data([1]), Data([2])] : [nil]
                return sets.compactMap {
                    AccessConstraints(flags: flags, biometrySet: $0, password: hasPassword ? derivation : nil)
                }
            }
    }()

    private func protection(
        _ constraints: AccessConstraints?, _ accessible: Accessible = .whenUnlocked,
        _ more: [ItemAttribute: AttributeValue] = [:]
    ) throws -> ItemProtection {
        var attributes = more
        attributes[.accessible] = .string(accessible.rawValue)
        attributes[.accessControl] = constraints.map { .data($0.encoded) }
        return try ItemProtection(
            of: ItemRecord(reference: PersistentReference(itemClass: .key), attributes: attributes, secrets: [:]))
    }

    private func constraints(of protection: ItemProtection) throws -> AccessConstraints? {
        try ItemRecord(
            reference: PersistentReference(itemClass: .key), attributes: protection.attributes, secrets: [:]
        ).constraints
    }

    @Test func constraints_stricterThanOthers_openNothingMore_andJoinedOnesOpenLessThanBoth() throws {
        let all = try Self.constraints.map { (opening: Situation.opening($0), protection: try protection($0)) }
        for (index, first) in all.enumerated() {
            #expect(first.protection.isAtLeast(first.protection))
            for second in all[index...] {
                if first.protection.isAtLeast(second.protection) { #expect(first.opening & ~second.opening == 0) }
                if second.protection.isAtLeast(first.protection) { #expect(second.opening & ~first.opening == 0) }
                guard let joined = first.protection.joined(with: second.protection) else { continue }
                #expect(joined.isAtLeast(first.protection) && joined.isAtLeast(second.protection))
                #expect(Situation.opening(try constraints(of: joined)) & ~(first.opening & second.opening) == 0)
            }
        }
    }

    /// A comparison that never finds anything stricter would make the law above hold for nothing.
    @Test func constraints_thatApplicationsSet_areOrderedAsExpected() throws {
        func flags(_ flags: AccessConstraints.Flags, _ set: Data? = nil) throws -> ItemProtection {
            let constraints: AccessConstraints = try #require(AccessConstraints(flags: flags, biometrySet: set))
            return try protection(constraints)
        }
        let none = try protection(nil)
        let presence = try flags(.userPresence), finger = try flags(.biometryAny), passcode = try flags(.devicePasscode)
        let bound = try flags(.biometryCurrentSet, Data([1]))
        let chain = [none, presence, finger, bound, try flags([.biometryCurrentSet, .devicePasscode], Data([1]))]
        for (index, weaker) in chain.enumerated() {
            for stricter in chain[index...] { #expect(stricter.isAtLeast(weaker)) }
            for stricter in chain[(index + 1)...] { #expect(!weaker.isAtLeast(stricter)) }
        }
        #expect(passcode.isAtLeast(presence) && !passcode.isAtLeast(finger) && !finger.isAtLeast(passcode))
        #expect(finger.joined(with: passcode) != nil)
        #expect(try bound.joined(with: flags(.biometryCurrentSet, Data([2]))) == nil)
    }

    @Test func classes_areStricterOnlyInAllRespects_andCanAlwaysBeJoined() throws {
        for first in Accessible.allCases {
            for second in Accessible.allCases {
                let protections = [try protection(nil, first), try protection(nil, second)]
                if protections[0].isAtLeast(protections[1]) {
                    #expect(first.isOfThisDeviceOnly || !second.isOfThisDeviceOnly)
                    #expect(first.needsUnlockedStore || !second.needsUnlockedStore)
                }
                let joined = try #require(protections[0].joined(with: protections[1]))
                #expect(joined.isAtLeast(protections[0]) && joined.isAtLeast(protections[1]))
            }
        }
    }

    @Test func key_thatMayNotLeave_isStricter() throws {
        let free = try protection(nil), explicit = try protection(nil, more: [.isExtractable: 1, .isSensitive: 0])
        let kept = try protection(nil, more: [.isExtractable: 0]),
            sensitive = try protection(nil, more: [.isSensitive: 1])
        #expect(free.isAtLeast(explicit) && explicit.isAtLeast(free))
        #expect(kept.isAtLeast(free) && !free.isAtLeast(kept))
        #expect(!kept.isAtLeast(sensitive) && !sensitive.isAtLeast(kept))
        let joined = try #require(kept.joined(with: sensitive))
        #expect(joined.attributes[.isExtractable]?.integer == 0 && joined.attributes[.isSensitive]?.integer == 1)
    }

    private func protection(
        _ constraints: AccessConstraints?, more numbers: [ItemAttribute: Int64]
    ) throws -> ItemProtection {
        try protection(constraints, .whenUnlocked, numbers.mapValues { .integer($0) })
    }

    @Test func unreadableConstraints_areDamage() {
        let record = ItemRecord(
            reference: PersistentReference(itemClass: .key), attributes: [.accessControl: .data(Data([9]))],
            secrets: [:])
        #expect(throws: StoreError.self) { try ItemProtection(of: record) }
    }
}
