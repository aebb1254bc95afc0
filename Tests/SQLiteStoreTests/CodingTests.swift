// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// The bytes inside the seal.
@Suite struct CodingTests {
    static let values: [AttributeValue] = [
        .string(""), .string("text"), .string("nul\0inside"), .string("e\u{301}"), .string("é"), .string("🔑"),
        .data(Data()), .data(Data([0, 255])), .data(Data(repeating: 7, count: 1 << 20)),
        .integer(0), .integer(.min), .integer(.max), .integer(-1),
        .real(0.5), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude), .real(.nan),
        .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        .date(Date(timeIntervalSinceReferenceDate: -1e12 - 0.3)), .date(.distantFuture), .date(.distantPast),
    ]

    /// Whether the values are identical, not only equal.
    private func isSame(_ a: AttributeValue, _ b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        case (.date(let a), .date(let b)):
            a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
        default: false
        }
    }

    @Test func everyValue_comesBackExactly() throws {
        for value in Self.values {
            let encoded = try ValueCoding.encode([.account: value, .service: .string("other")])
            let decoded = encoded.withUnsafeBytes(ValueCoding.decodeAttributes)
            let account = try #require(decoded?[.account])
            #expect(isSame(account, value))
            #expect(decoded?[.service]?.string == "other")
            #expect(encoded.count.isMultiple(of: 32))
        }
    }

    @Test func nothing_comesBack() throws {
        let none: [ItemAttribute: AttributeValue] = [:]
        #expect(try ValueCoding.encode(none).withUnsafeBytes(ValueCoding.decodeAttributes)?.isEmpty == true)
    }

    @Test func truncated_isNotDecoded_orMisses() throws {
        let encoded = try ValueCoding.encode([.account: .string("account"), .port: .integer(1)]).data()
        for count in 0..<encoded.count {
            let decoded = encoded.prefix(count).withUnsafeBytes(ValueCoding.decodeAttributes)
            if let account = decoded?[.account] { #expect(account.string == "account") }
        }
        #expect(Data().withUnsafeBytes(ValueCoding.decodeAttributes) == nil)
    }

    @Test func garbage_neverTraps() throws {
        var random = SeededGenerator()
        let encoded = Array(
            try ValueCoding.encode([.account: .string("account"), .port: .integer(1), .generic: .data(Data([1, 2]))])
                .data())
        for round in 0..<20_000 {
            var bytes = encoded
            for _ in 0...(round % 4) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 5 == 0 { bytes = (0..<(round % 64)).map { _ in UInt8.random(in: 0...255, using: &random) } }
            _ = bytes.withUnsafeBytes(ValueCoding.decodeAttributes)
            _ = bytes.withUnsafeBytes(ValueCoding.decodeSecrets)
        }
    }

    @Test func tooLarge_isRefused() throws {
        let large = Data(count: ValueCoding.maximumByteCount)
        expect(.tooLarge) { _ = try ValueCoding.encode([.account: .data(large)]) }
    }

    @Test func sealed_opensOnlyInItsPlace() throws {
        let key = KeySet.testKey
        var context = Transcript("test")
        context.append("one")
        let sealed = try SealedBytes(sealing: Secret(Data("bytes".utf8)), context: context, with: key)
        func open(_ context: Transcript, _ nonce: [UInt8], _ ciphertext: Data) -> Data? {
            nonce.withUnsafeBytes { nonce in
                ciphertext.withUnsafeBytes {
                    SealedBytes.open(nonce: nonce, ciphertext: $0, context: context, with: key)?
                        .withUnsafeBytes { Data($0) }
                }
            }
        }
        #expect(open(context, sealed.nonce, sealed.ciphertext) == Data("bytes".utf8))
        var other = Transcript("test")
        other.append("two")
        #expect(open(other, sealed.nonce, sealed.ciphertext) == nil)
        #expect(open(context, sealed.nonce.reversed(), sealed.ciphertext) == nil)
        #expect(open(context, [], sealed.ciphertext) == nil)
        #expect(open(context, sealed.nonce, Data(sealed.ciphertext.dropLast())) == nil)
        #expect(open(context, sealed.nonce, Data()) == nil)
    }

    /// Two seals with the same nonce would reveal their contents.
    @Test func nonces_areNeverUsedTwice() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder.location, passphrase: "passphrase")
        var nonces: [Data] = []
        /// Collects the nonces of all rows and keys.
        func collect() throws {
            nonces += try store.connection.write { database in
                let rows = try database.values("SELECT nonces FROM item").map(\.data)
                let keys = try database.values("SELECT sealed FROM keys").map(\.data)
                let ofRows = rows.flatMap { row in
                    stride(from: 0, to: row.count, by: SealedBytes.nonceByteCount).map {
                        Data(row.dropFirst($0).prefix(SealedBytes.nonceByteCount))
                    }
                }
                return ofRows + keys.map { Data($0.prefix(SealedBytes.nonceByteCount)) }
            }
        }
        // Writes the same bytes each time, in each protection class.
        let classes = Accessible.allCases.filter { KeyName(sealingSecretsOf: $0) != nil }
        for _ in 0..<5 {
            for accessible in classes {
                try store.insert(.password(account: accessible.rawValue, accessible: accessible))
            }
            try collect()
            for _ in 0..<5 {
                let count = try store.update(.password(), [.label: .string("label")], secret: Data("secret".utf8))
                #expect(count == classes.count)
                try collect()
            }
            #expect(try store.delete(matching: .password(), interaction: .allowed) == classes.count)
        }
        let ofRows = 2 * classes.count * 5 * 6
        let keys = Set(try store.connection.read { try $0.values("SELECT sealed FROM keys") }).count
        // The keys are collected each time, with the nonces with which they were wrapped.
        #expect(keys > classes.count && Set(nonces).count == ofRows + keys)
        #expect(nonces.allSatisfy { $0.count == SealedBytes.nonceByteCount })
    }

    /// Every column that distinguishes a row from others is part of what its seals are bound to, for example the
    /// protection class.
    @Test func everyPartOfARow_isInWhatItIsBoundTo() throws {
        let key = KeySet.testKey
        let primaryKeys = try ["a", "b"].map { text in
            var transcript = Transcript("test")
            transcript.append(text)
            return try KeyedDigest(key).blind(transcript)
        }
        let uuids = [UUID(), UUID()]
        var bound: [String: [(key: String, bytes: [UInt8])]] = [:]
        for storeID in [[UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16)] {
            for (itemClass, uuid) in [ItemClass.genericPassword, .key].flatMap({ one in uuids.map { (one, $0) } }) {
                let reference = PersistentReference(itemClass: itemClass, uuid: uuid)
                for accessible in Accessible.allCases {
                    let context = RowContext(storeID: storeID, reference: reference, accessible: accessible)
                    let place = "\(storeID) \(itemClass) \(uuid) \(accessible)"
                    bound["secrets", default: []].append((place, context.forSecrets.bytes))
                    for (number, primaryKey) in primaryKeys.enumerated() {
                        for slots in [[UInt8](), [1], [1, 2]] {
                            let own = "\(place) \(number) \(slots)"
                            bound["attributes", default: []].append(
                                (own, context.forAttributes(primaryKey: primaryKey, slots: slots).bytes))
                            for (id, nonces) in [(1, [UInt8](repeating: 1, count: 12)), (2, [3]), (1, [3])] {
                                let row = context.forRow(
                                    id: Int64(id), primaryKey: primaryKey, slots: slots, nonces: nonces)
                                bound["row", default: []].append(("\(own) \(id) \(nonces)", row.bytes))
                            }
                        }
                    }
                }
            }
        }
        for (part, all) in bound {
            #expect(Set(all.map(\.key)).count == all.count && Set(all.map(\.bytes)).count == all.count, "\(part)")
        }
        // No two of them are the same.
        #expect(Set(bound.values.joined().map(\.bytes)).count == bound.values.reduce(0) { $0 + $1.count })
    }

    @Test func derivedKey_isHKDF() throws {
        for salt in [[], [UInt8](repeating: 7, count: 16), [UInt8](repeating: 7, count: 32)] {
            let key = KeySet.testKey.derived("a purpose", salt: salt)
            #expect(key.data() == KeySet.plainHKDF(KeySet.testKey, salt: salt, "a purpose"))
        }
    }

    @Test func preparedDigest_isHMAC() throws {
        let key = KeySet.testKey
        for count in [0, 1, 55, 56, 64, 1_000] {
            var transcript = Transcript("test")
            transcript.append([UInt8](repeating: 3, count: count))
            let blind = try KeyedDigest(key).blind(transcript)
            #expect(blind.withUnsafeBytes { Data($0) } == KeySet.plainHMAC(transcript.bytes, key).prefix(16))
        }
    }
}
