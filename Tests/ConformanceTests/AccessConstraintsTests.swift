// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import Testing

/// The encoding of constraints: written constraints are read back, and other bytes are refused.
@Suite struct AccessConstraintsTests {
    private static func examples() throws -> [AccessConstraints] {
        let password = AccessConstraints.PasswordDerivation(
            logarithmOfRounds: 17, blockSize: 8, parallelism: 1, salt: Data(0..<16))
        let all: [AccessConstraints?] = [
            AccessConstraints(flags: .userPresence),
            AccessConstraints(flags: [.privateKeyUsage, .or, .biometryAny, .devicePasscode]),
            AccessConstraints(flags: .biometryCurrentSet, biometrySet: Data(count: 32)),
            AccessConstraints(flags: .applicationPassword, password: password),
            AccessConstraints(
                flags: [.userPresence, .applicationPassword], biometrySet: Data([1]), password: password,
                publicKey: Data(count: 2000)),
        ]
        return try all.map { try #require($0) }
    }

    @Test func everyValue_comesBack() throws {
        let examples = try Self.examples()
        for constraints in examples { #expect(AccessConstraints(encoded: constraints.encoded) == constraints) }
        #expect(Set(examples.map(\.encoded)).count == examples.count)
    }

    /// Each bit counts: bytes that can be read are written as the same bytes, and others are refused.
    @Test func changedBytes_areAnotherValueOrNone() throws {
        for constraints in try Self.examples() {
            let bytes = constraints.encoded
            for index in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << UInt8(bit)
                    let read = AccessConstraints(encoded: changed)
                    #expect(read != constraints)
                    #expect(read == nil || read?.encoded == changed)
                }
            }
            for count in 0..<bytes.count {
                let read = AccessConstraints(encoded: bytes.prefix(count))
                #expect(read == nil || read?.encoded == bytes.prefix(count))
            }
            #expect(AccessConstraints(encoded: bytes + [0]) == nil)
        }
    }

    @Test func unknownVersionsFlagsAndNoFlags_areRefused() {
        #expect(AccessConstraints(flags: []) == nil)
        #expect(AccessConstraints(flags: .init(rawValue: 1 << 2)) == nil)
        #expect(AccessConstraints(encoded: Data()) == nil)
        #expect(AccessConstraints(encoded: Data([2, 0, 0, 0, 1])) == nil)
        #expect(AccessConstraints(encoded: Data([1, 0, 0, 0, 0])) == nil)
        #expect(AccessConstraints(encoded: Data([1, 0, 0, 0, 4])) == nil)
        #expect(AccessConstraints(encoded: Data([1, 0, 0, 0, 1])) == AccessConstraints(flags: .userPresence))
    }

    @Test func randomBytes_neverTrap() {
        var random = SeededGenerator()
        for _ in RandomRounds.usually(10_000) {
            var bytes = (0..<Int.random(in: 0...40)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if bytes.count > 6 { bytes.replaceSubrange(0..<6, with: [1, 0, 0, 0, 1, UInt8.random(in: 0...4)]) }
            let read = AccessConstraints(encoded: Data(bytes))
            #expect(read == nil || read?.encoded == Data(bytes))
        }
    }

    /// The first index of a slice is not 0.
    @Test func slices_areRead() throws {
        for constraints in try Self.examples() {
            let slice = (Data(count: 7) + constraints.encoded).dropFirst(7)
            #expect(AccessConstraints(encoded: slice) == constraints)
        }
    }

    /// Unreadable constraints are damage, and never mean that there are none.
    @Test func record_withUnreadableConstraints_isDamaged() throws {
        func record(_ value: AttributeValue?) -> ItemRecord {
            ItemRecord(
                reference: PersistentReference(itemClass: .key),
                attributes: value.map { [.accessControl: $0] } ?? [:], secrets: [:])
        }
        #expect(try record(nil).constraints == nil)
        let constraints = try #require(AccessConstraints(flags: .userPresence))
        #expect(try record(.data(constraints.encoded)).constraints == constraints)
        for value in [AttributeValue.data(Data()), .data(Data([9])), .string(""), .integer(0), .string("\u{1}")] {
            #expect(throws: StoreError.self) { try record(value).constraints }
        }
    }
}
