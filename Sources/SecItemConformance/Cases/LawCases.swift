// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// A delete removes, and an update changes, exactly the items that a look-up finds with the same query and no
    /// limit. These are the items that a model predicts. The name of a case has its seed, so that a failure can be
    /// repeated. A slow store runs only the first two of eight seeds.
    static let lawCases: [ConformanceCase] = RandomRounds.usually(8).map { $0 + 1 }.map { seed in
        /// 4.1, 8.1, 8.11, 9.1, 9.5: Random items, and random queries with any attribute of any class.
        ConformanceCase(
            "updateAndDelete_seed\(seed)_actOnWhatALookUpFinds", rules: "4.1", "8.1", "8.11", "9.1", "9.5",
            needs: RandomRounds.usually(2).contains(seed - 1) ? [] : .speed
        ) { keychain in
            var run = try LawRun(keychain, seed: UInt64(seed))
            try run.run(rounds: 10)
        }
    }
}

/// A sequence of random updates and deletes on one keychain.
private struct LawRun {
    private let store: any KeychainStore
    private let keychain: ConformanceKeychain
    private let stranger: ConformanceKeychain
    private let seed: UInt64
    private var random: RandomMeanings
    private let objects: [(object: AnyObject, itemClass: ItemClass, identity: [ItemAttribute: AttributeValue])]

    init(_ keychain: ConformanceKeychain, seed: UInt64) throws {
        store = keychain.store
        self.keychain = keychain.application("law", entitledTo: RandomMeanings.groups)
        stranger = keychain.application("stranger", entitledTo: [RandomMeanings.foreignGroup])
        self.seed = seed
        random = RandomMeanings(seed: seed)
        let key = try newPrivateKey()
        let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
        let certificate = try newCertificate("law", of: key)
        let identity = try expectValue(SecIdentityCreate(nil, certificate, key), "an identity")
        let ofKey = try Self.identity(of: key, 1), ofCertificate = try Self.identity(of: certificate)
        objects = [
            (key, .key, ofKey), (publicKey, .key, try Self.identity(of: publicKey, 0)),
            (certificate, .certificate, ofCertificate), (identity, .identity, ofKey.merging(ofCertificate) { $1 }),
        ]
    }

    private static func identity(of key: SecKey, _ side: Int64) throws -> [ItemAttribute: AttributeValue] {
        let attributes = SecKeyCopyAttributes(key) as? [String: Any]
        let label = try expectValue(attributes?["klbl"] as? Data, "the label of a key")
        return [.keyClass: .integer(side), .applicationLabel: .data(label)]
    }

    private static func identity(of certificate: SecCertificate) throws -> [ItemAttribute: AttributeValue] {
        let issuer = try nameContent(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?)
        let serialNumber = SecCertificateCopySerialNumberData(certificate, nil) as Data?
        return [
            .issuer: .data(issuer),
            .serialNumber: .data(try expectValue(serialNumber, "a serial number")),
        ]
    }

    mutating func run(rounds: Int) throws {
        for round in 0..<rounds {
            try fill(upTo: 12)
            var query = MeaningQuery(itemClass: .key)
            var dictionary = NSDictionary()
            var verb = "look-up"
            do {
                let before = try records()
                query = try self.query(for: before)
                dictionary = self.dictionary(of: query)
                let meaning = try meaning(of: query, in: before)
                try lookUp(query, before)
                if random.random.chance(10) {
                    verb = "a refused call"
                    try refuse(query, dictionary, before)
                } else if random.random.chance(60) {
                    verb = "delete"
                    try delete(dictionary, meaning, before)
                } else {
                    verb = "update"
                    try update(query, dictionary, meaning, before)
                }
            } catch let failure as ConformanceFailure {
                throw ConformanceFailure(
                    description: "seed \(seed), round \(round): \(verb) of \(query): \(failure.description)",
                    file: failure.file, line: failure.line)
            }
        }
    }

    /// All items of the store by class, oldest first.
    private func records() throws -> [ItemRecord] {
        try ItemClass.stored.flatMap { itemClass in
            try store.records(
                matching: RecordFilter(itemClass: itemClass), parts: [.attributes, .secrets], limit: nil,
                interaction: .allowed)
        }
    }

    // MARK: Items

    private mutating func fill(upTo count: Int) throws {
        for _ in 0..<max(0, try count - records().count) {
            let itemClass = random.random.pick(ItemClass.stored)
            let item = NSMutableDictionary()
            for (attribute, value) in random.attributes(of: itemClass, count: 1...4) {
                item.setObject(value.object, forKey: attribute.code as NSString)
            }
            item.setObject(itemClass.rawValue, forKey: kSecClass)
            if itemClass == .certificate || itemClass == .key, random.random.chance(70) {
                let hash = Data([random.random.pick([1, 2])])
                item.setObject(hash, forKey: itemClass == .key ? kSecAttrApplicationLabel : kSecAttrPublicKeyHash)
                if itemClass == .key { item.setObject(1, forKey: "priv" as NSString) }
            }
            if random.random.chance(80) { item.setObject(Data([random.random.pick([1, 2])]), forKey: kSecValueData) }
            if random.random.chance(25) { item.setObject(true, forKey: kSecAttrSynchronizable) }
            if random.random.chance(10) { item.setObject(1, forKey: "tomb" as NSString) }
            if random.random.chance(40) {
                item.setObject(random.random.pick(RandomMeanings.groups), forKey: kSecAttrAccessGroup)
            }
            let ofClass = random.random.chance(40) ? .identity : itemClass
            if random.random.chance(15), let live = objects.first(where: { $0.itemClass == ofClass }) {
                let group = item[kSecAttrAccessGroup]
                item.removeAllObjects()
                item.setObject(live.object, forKey: kSecValueRef)
                if let group { item.setObject(group, forKey: kSecAttrAccessGroup) }
            }
            let isForeign = item[kSecAttrAccessGroup] == nil && random.random.chance(20)
            let status = isForeign ? stranger.add(item) : keychain.add(item)
            // Some stores can keep only one secret per item.
            let possible = [errSecSuccess, errSecDuplicateItem, errSecUnimplemented]
            try expect(possible.contains(status), "seed \(seed): an add of \(item) answered \(status)")
        }
    }

    // MARK: Queries

    private mutating func query(for records: [ItemRecord]) throws -> MeaningQuery {
        var query = MeaningQuery(itemClass: random.random.pick(ItemClass.stored + [.identity, .identity]))
        let known = records.filter { $0.itemClass == query.itemClass }
        if !known.isEmpty, random.random.chance(70) {
            try describe(random.random.pick(known), in: &query)
        } else {
            query.attributes = random.attributes(of: query.itemClass, count: 0...2)
            if query.itemClass == .identity, random.random.chance(60) { describeIdentity(records, in: &query) }
        }
        if query.synchronizable == nil, query.reference == nil {
            query.synchronizable = random.random.pick([nil, nil, .any, .yes, .no])
        }
        if query.group == nil, query.reference == nil, random.random.chance(15) {
            query.group = random.random.pick(RandomMeanings.groups)
        }
        if query.digest == nil, query.reference == nil, random.random.chance(8) { query.digest = Data(count: 20) }
        if query.reference == nil, random.random.chance(8) {
            query.attributes[.tombstone] = .integer(random.random.pick([0, 1]))
        }
        if query.itemClass == .internetPassword, query.reference == nil, random.random.chance(40) {
            query.host = random.random.pick(["example.org", "mail.example.org", "org.example"])
        }
        return query
    }

    /// A query for an existing record, which may also match similar ones.
    private mutating func describe(_ record: ItemRecord, in query: inout MeaningQuery) throws {
        if random.random.chance(20) {
            query.reference = record.reference
            if random.random.chance(25), let value = record.attributes[.label] { query.attributes[.label] = value }
            return
        }
        if random.random.chance(15), let live = objects.first(where: { $0.itemClass == record.itemClass }) {
            query.ofObject = live.identity
            return
        }
        if random.random.chance(15), let digest = try digest(of: record) {
            query.digest = digest
        }
        let schema = ItemSchema.schema(of: record.itemClass)
        let names = record.attributes.keys.filter { name in
            name != .accessGroup && name != .synchronizable && schema[name] != nil
        }
        for name in names.sorted(by: { $0.fourCharCode < $1.fourCharCode }) where random.random.chance(20) {
            query.attributes[name] = record.attributes[name]
        }
        for name in record.secrets.keys where name != .valueData && random.random.chance(60) {
            query.attributes[name] = record.secrets[name].map { .data($0.data()) }
        }
        if record.attributes[.synchronizable]?.integer == 1 { query.synchronizable = random.random.pick([.yes, .any]) }
    }

    /// A query by the reference of a certificate that has a key, or by attributes that certificates and keys share.
    private mutating func describeIdentity(_ records: [ItemRecord], in query: inout MeaningQuery) {
        query.attributes = [:]
        if random.random.chance(30), let live = objects.first(where: { $0.itemClass == .identity }) {
            query.ofObject = live.identity
            return
        }
        let certificates = records.filter { $0.itemClass == .certificate }
        if !certificates.isEmpty, random.random.chance(50) {
            query.reference = PersistentReference(
                itemClass: .identity, uuid: random.random.pick(certificates).reference.uuid)
        } else if random.random.chance(60) {
            query.attributes[.label] = random.random.pick([.string("a"), .string("b"), .integer(1)])
        }
    }

    private func dictionary(of query: MeaningQuery) -> NSDictionary {
        let result = NSMutableDictionary(object: query.itemClass.rawValue, forKey: kSecClass)
        for (attribute, value) in query.attributes {
            result.setObject(value.object, forKey: attribute.code as NSString)
        }
        if let group = query.group { result.setObject(group, forKey: kSecAttrAccessGroup) }
        switch query.synchronizable {
        case .yes: result.setObject(true, forKey: kSecAttrSynchronizable)
        case .no: result.setObject(false, forKey: kSecAttrSynchronizable)
        case .any: result.setObject(kSecAttrSynchronizableAny, forKey: kSecAttrSynchronizable)
        case nil: break
        }
        if let reference = query.reference { result.setObject(reference.data, forKey: kSecValuePersistentRef) }
        if let digest = query.digest { result.setObject(digest, forKey: "sha1" as NSString) }
        if let host = query.host { result.setObject(host, forKey: kSecMatchHostOrSubdomainOfHost) }
        if !query.ofObject.isEmpty,
            let live = objects.first(where: { $0.itemClass == query.itemClass })
        {
            result.setObject(live.object, forKey: kSecValueRef)
        }
        return result
    }

    /// The digest of an item, which only the keychain can compute.
    private func digest(of record: ItemRecord) throws -> Data? {
        var result: CFTypeRef?
        let query =
            [
                kSecValuePersistentRef: record.reference.data, kSecReturnAttributes: true, kSecReturnData: true,
            ] as CFDictionary
        guard keychain.copyMatching(query, &result) == errSecSuccess else { return nil }
        return (result as? [String: Any])?["sha1"] as? Data
    }

    // MARK: What a query means

    private struct Meaning {
        /// The status of an update or delete that has no other mistake.
        var status: OSStatus
        /// The items that the call acts on.
        var records: [ItemRecord] = []
        /// The items among them that a delete keeps.
        var spared: [PersistentReference] = []

        static let nothing = Meaning(status: errSecItemNotFound)
    }

    private func meaning(of query: MeaningQuery, in records: [ItemRecord]) throws -> Meaning {
        guard query.itemClass == .identity else {
            let found = try matches(query, query.itemClass, query.attributes, records)
            return Meaning(status: found.isEmpty ? errSecItemNotFound : errSecSuccess, records: found)
        }
        if query.namesIdentity {
            let pairs = try pairs(query, in: records)
            if pairs.isEmpty { return .nothing }
            let meant = Set(pairs.map(\.certificate.reference))
            let shared = pairs.filter { pair in
                records.contains { other in
                    other.itemClass == .certificate && !meant.contains(other.reference)
                        && RandomMeanings.groups.contains(other.attributes[.accessGroup]?.string ?? "")
                        && other.modelValue(of: .publicKeyHash) == pair.certificate.modelValue(of: .publicKeyHash)
                }
            }
            return Meaning(
                status: errSecSuccess, records: pairs.flatMap { [$0.certificate, $0.key] },
                spared: shared.map(\.key.reference))
        }
        return try halves(query, in: records)
    }

    /// Checks certificates and then keys against all of the query. The first failure is the result.
    private func halves(
        _ query: MeaningQuery, setting set: [ItemAttribute] = [], in records: [ItemRecord]
    ) throws -> Meaning {
        var result: [ItemRecord] = []
        for half in [ItemClass.certificate, .key] {
            let schema = ItemSchema.schema(of: half)
            if (Array(query.attributes.keys) + set).contains(where: { schema[$0] == nil }) {
                return Meaning(status: errSecNoSuchAttr)
            }
            let found = try matches(query, half, query.attributes, records)
            if found.isEmpty { return .nothing }
            result += found
        }
        return Meaning(status: errSecSuccess, records: result)
    }

    private func matches(
        _ query: MeaningQuery, _ itemClass: ItemClass, _ attributes: [ItemAttribute: AttributeValue],
        _ records: [ItemRecord]
    ) throws -> [ItemRecord] {
        try records.filter { record in
            guard record.itemClass == itemClass, query.reference.map({ $0.uuid == record.reference.uuid }) ?? true
            else {
                return false
            }
            return try query.means(
                record, digest: { try digest(of: record) }, groups: RandomMeanings.groups, attributes: attributes)
        }
    }

    /// Certificates, each with its oldest private key. An attribute that both classes have applies to the certificate.
    private func pairs(
        _ query: MeaningQuery, in records: [ItemRecord]
    ) throws -> [(certificate: ItemRecord, key: ItemRecord)] {
        let schema = ItemSchema.schema(of: .certificate)
        let ofCertificate = query.attributes.filter { schema[$0.key] != nil }
        var ofKey = query.attributes.filter { schema[$0.key] == nil }
        ofKey[.tombstone] = query.attributes[.tombstone]
        let certificates = try matches(query, .certificate, ofCertificate, records)
        let keys = records.filter { record in
            let isPrivate = record.attributes[.isPrivate]?.integer == 1 || record.attributes[.keyClass]?.integer == 1
            var keyQuery = query
            keyQuery.digest = nil
            return record.itemClass == .key && isPrivate
                && keyQuery.means(
                    record, digest: { nil }, groups: RandomMeanings.groups, attributes: ofKey,
                    ignoringSynchronizable: true)
        }
        return certificates.compactMap { certificate in
            guard let hash = certificate.modelValue(of: .publicKeyHash) else { return nil }
            return keys.first { $0.modelValue(of: .applicationLabel) == hash }.map { (certificate, $0) }
        }
    }

    // MARK: Calls

    private func lookUp(_ query: MeaningQuery, _ before: [ItemRecord]) throws {
        // A look-up refuses attributes together with a reference.
        if query.reference != nil, !query.attributes.isEmpty { return }
        var result: CFTypeRef?
        let all = dictionary(of: query).with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnPersistentRef, true)
        let status = keychain.copyMatching(all, &result)
        let expected =
            query.itemClass == .identity
            ? try pairs(query, in: before).map { PersistentReference(itemClass: .identity, uuid: $0.0.reference.uuid) }
            : try matches(query, query.itemClass, query.attributes, before).map(\.reference)
        try expect(status, expected.isEmpty ? errSecItemNotFound : errSecSuccess, "look-up:")
        let found = (result as? [Data] ?? []).map { Array($0) }
        try expectEqual(Set(found), Set(expected.map { Array($0.data) }), "what the look-up finds:")
        try expectEqual(found.count, expected.count, "what the look-up finds:")
    }

    private func delete(_ dictionary: NSDictionary, _ meaning: Meaning, _ before: [ItemRecord]) throws {
        try expect(keychain.delete(dictionary), meaning.status)
        let isDone = meaning.status == errSecSuccess
        let gone = Set(isDone ? meaning.records.map(\.reference) : []).subtracting(meaning.spared)
        try expectSame(records(), before.filter { !gone.contains($0.reference) })
    }

    private mutating func update(
        _ query: MeaningQuery, _ dictionary: NSDictionary, _ meaning: Meaning, _ before: [ItemRecord]
    ) throws {
        let halves: [ItemClass] = query.itemClass == .identity ? [.certificate, .key] : [query.itemClass]
        var (attributes, secrets) = changes(of: query.itemClass)
        let changes = NSMutableDictionary()
        for (attribute, value) in attributes { changes.setObject(value.object, forKey: attribute.code as NSString) }
        for (attribute, data) in secrets {
            changes.setObject(data, forKey: attribute == .valueData ? kSecValueData : attribute.code as NSString)
        }
        var meaning = meaning
        if halves.count > 1, meaning.status == errSecSuccess || !query.namesIdentity {
            meaning.status = try statusOfHalves(query, setting: Array(attributes.keys), meaning, before)
        }
        if meaning.status == errSecSuccess, meaning.records.contains(where: { $0.isFreed(bySetting: attributes) }) {
            meaning.status = errSecParam
        }
        let status = keychain.update(dictionary, changes)
        if meaning.status != errSecSuccess {
            try expect(status, meaning.status, "setting \(attributes):")
            return try expectSame(records(), before)
        }
        if status == errSecUnimplemented, secrets.contains(where: { $0.key != .valueData }) {
            return try expectSame(records(), before)
        }
        attributes[.modificationDate] = nil
        let meant = Set(meaning.records.map(\.reference))
        let expected = before.map { record in
            guard meant.contains(record.reference) else { return record }
            var record = record
            record.attributes.merge(attributes) { $1 }
            for (attribute, data) in secrets { record.secrets[attribute] = Secret(data) }
            return record
        }
        let keys = expected.map { [[UInt8]($0.itemClass.rawValue.utf8)] + $0.modelKey }
        let isDuplicate = Set(keys).count < keys.count
        try expect(status, isDuplicate ? errSecDuplicateItem : errSecSuccess, "setting \(attributes):")
        try expectSame(records(), isDuplicate ? before : expected, younger: isDuplicate ? [] : meant)
    }

    private func statusOfHalves(
        _ query: MeaningQuery, setting set: [ItemAttribute], _ meaning: Meaning, _ before: [ItemRecord]
    ) throws -> OSStatus {
        if !query.namesIdentity { return try halves(query, setting: set, in: before).status }
        let schemas = [ItemClass.certificate, .key].map { ItemSchema.schema(of: $0) }
        return set.contains { name in schemas.contains { $0[name] == nil } } ? errSecNoSuchAttr : meaning.status
    }

    /// The changes of an update: attributes, a group or synchronizable, and data.
    private mutating func changes(
        of itemClass: ItemClass
    ) -> (attributes: [ItemAttribute: AttributeValue], secrets: [ItemAttribute: Data]) {
        var attributes = random.attributes(of: itemClass, count: 0...2)
        var secrets: [ItemAttribute: Data] = [:]
        for row in ItemSchema.schema(of: itemClass).rows where row.roles.contains(.secret) {
            if attributes.removeValue(forKey: row.attribute) != nil { secrets[row.attribute] = Data([9]) }
        }
        if itemClass == .identity, random.random.chance(70) { attributes = [.label: .string("c")] }
        if random.random.chance(10) { attributes[.accessGroup] = .string(random.random.pick(RandomMeanings.groups)) }
        if random.random.chance(10) { attributes[.synchronizable] = .integer(random.random.pick([0, 1])) }
        if random.random.chance(30) { secrets[.valueData] = Data([random.random.pick([7, 8])]) }
        return (attributes, secrets)
    }

    /// A call with a mistake fails, whatever else it asks for, and changes nothing.
    private mutating func refuse(_ query: MeaningQuery, _ good: NSDictionary, _ before: [ItemRecord]) throws {
        let spoilt: [(CFDictionary, OSStatus)] = [
            (good.with("abcd" as NSString, 1), errSecNoSuchAttr),
            (good.with(kSecAttrLabel, Date()), errSecParam),
            (good.with(kSecMatchPolicy, "policy"), errSecParam),
            (good.with(kSecUseItemList, NSArray()), errSecParam),
            (good.with(kSecAttrAccessGroup, RandomMeanings.foreignGroup), errSecMissingEntitlement),
        ]
        let (dictionary, status) = random.random.pick(spoilt)
        try expect(keychain.delete(dictionary), status)
        try expect(keychain.update(dictionary, [kSecAttrLabel: "spoilt"] as CFDictionary), status)
        for (changes, status) in [
            ([kSecAttrLabel: Date()] as CFDictionary, errSecParam),
            ([kSecAttrAccessGroup: RandomMeanings.foreignGroup] as CFDictionary, errSecMissingEntitlement),
            (["abcd": 1] as CFDictionary, errSecNoSuchAttr),
        ] {
            try expect(keychain.update(good, changes), status)
        }
        try expectSame(records(), before)
    }

    private func expectSame(
        _ records: [ItemRecord], _ expected: [ItemRecord], younger: Set<PersistentReference> = [],
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let found = Dictionary(uniqueKeysWithValues: records.map { ($0.reference, $0) })
        let missing = expected.filter { found[$0.reference] == nil }
        let known = Set(expected.map(\.reference))
        let others = records.filter { !known.contains($0.reference) }
        try expect(missing.isEmpty, "items that should be there are not: \(missing)", file: file, line: line)
        try expect(others.isEmpty, "items that should be gone are there: \(others)", file: file, line: line)
        for old in expected {
            guard let new = found[old.reference] else { continue }
            let isYounger = younger.contains(old.reference)
            let isSame = new.isSame(as: old, except: isYounger ? [.modificationDate] : [])
            try expect(isSame, "expected \(old), got \(new)", file: file, line: line)
            if isYounger, let before = old.attributes[.modificationDate]?.date {
                let after = new.attributes[.modificationDate]?.date
                try expect(after.map { $0 > before } ?? false, "a change did not make \(old) younger")
            }
        }
    }
}
