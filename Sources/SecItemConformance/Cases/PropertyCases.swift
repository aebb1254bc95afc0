// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Random dictionaries in all four calls, compared with a simple model. The name of a case has its seed, so that a
    /// failure can be repeated. The seeds are the same in each run unless `SECITEM_SEED` sets the first one. A slow
    /// store runs only the first three of ten.
    static let propertyCases: [ConformanceCase] = RandomRounds.usually(10).map { number in
        let seed = (RandomSeed.wanted ?? 1) &+ UInt64(number)
        /// 1, 3, 4, 8, 9: No call traps or hangs. Each returns a status that the rules allow, and the store has the
        /// predicted items.
        return ConformanceCase(
            "randomDictionaries_seed\(seed)_agreeWithTheModel", rules: "1.11", "3.1", "4.1", "8.1", "9.1",
            needs: RandomRounds.usually(3).contains(number) ? [] : .speed
        ) { keychain in
            var run = PropertyRun(keychain: keychain, seed: seed)
            try run.run(steps: 60)
        }
    }
}

/// One sequence of random calls on a keychain and its model.
private struct PropertyRun {
    private let keychain: ConformanceKeychain
    private let everything: ConformanceKeychain
    private let seed: UInt64
    private var requests: RandomRequests
    private var model: ModelKeychain

    init(keychain: ConformanceKeychain, seed: UInt64) {
        self.keychain = keychain
        self.seed = seed
        everything = keychain.application("everything", entitledTo: ["*"])
        requests = RandomRequests(seed: seed)
        model = ModelKeychain(
            group: ConformanceKeychain.applicationIdentifier,
            isPassphraseProtected: keychain.store.isPassphraseProtected)
    }

    mutating func run(steps: Int) throws {
        for step in 0..<steps {
            let call = requests.call()
            let query = requests.query(for: call, items: model.items)
            do {
                try make(call, query)
                if step % 10 == 9 || step == steps - 1 { try compareStores() }
            } catch let failure as ConformanceFailure {
                throw ConformanceFailure(
                    description: "seed \(seed), step \(step): \(call) {\(query.summary)}: \(failure.description)",
                    file: failure.file, line: failure.line)
            }
        }
    }

    // MARK: Calls

    private mutating func make(_ call: RandomRequests.Call, _ query: ModelDictionary) throws {
        switch call {
        case .add: try add(query)
        case .copyMatching: try copyMatching(query)
        case .update: try update(query)
        case .delete: try check(query.withObject { keychain.delete($0) }, model.delete(query))
        }
    }

    private mutating func add(_ item: ModelDictionary) throws {
        var result: CFTypeRef?
        let status = item.withObject { keychain.add($0, &result) }
        try check(status, model.add(item))
        guard status == errSecSuccess, let added = model.items.last else {
            return try expect(result == nil, "a result of a failure")
        }
        model.items[model.items.count - 1].reference = try reference(of: added)
    }

    /// The reference of the item, found by its primary key.
    private func reference(of item: ModelKeychain.Item) throws -> [UInt8] {
        let query = NSMutableDictionary()
        query.setObject(item.itemClass, forKey: kSecClass)
        query.setObject(true, forKey: kSecReturnPersistentRef)
        query.setObject(kSecMatchLimitAll, forKey: kSecMatchLimit)
        for (name, value) in item.primaryKey { query.setObject(value.object, forKey: name as NSString) }
        let found = try keychain.find(query) as? [Data]
        try expectEqual(found?.count, 1, "items of the primary key:")
        return found?.first.map { Array($0) } ?? []
    }

    private func copyMatching(_ query: ModelDictionary) throws {
        let marker = "untouched" as NSString
        var result: CFTypeRef? = marker
        let status = query.withObject { keychain.copyMatching($0, &result) }
        let (statuses, found, request) = model.copyMatching(query)
        try check(status, statuses)
        if status != errSecSuccess { return try expect(result === marker, "a result of a failure") }
        if !request.isArray {
            if result === marker {
                let mayBeNothing =
                    request.kinds.isEmpty || request.kinds == ["r_Ref"]
                    || request.kinds == ["r_Data"] && found.contains { $0.data == nil }
                return try expect(mayBeNothing, "no result")
            }
            return try compare([result as Any], with: found, request, atMost: 1)
        }
        let results = try expectValue(result as? [Any], "an array")
        try compare(results, with: found, request, atMost: min(request.limit ?? .max, found.count))
    }

    private mutating func update(_ query: ModelDictionary) throws {
        let changes = requests.changes(of: ModelRequest(query, .update).itemClass)
        do {
            let status = query.withObject { query in changes.withObject { keychain.update(query, $0) } }
            try check(status, model.update(query, changes))
        } catch let failure as ConformanceFailure {
            throw ConformanceFailure(
                description: "setting {\(changes.summary)}: \(failure.description)", file: failure.file,
                line: failure.line)
        }
    }

    private func check(_ status: OSStatus, _ possible: Set<OSStatus>) throws {
        try expect(possible.contains(status), "answered \(status), the model \(possible.sorted())")
    }

    // MARK: Comparison

    private func compare(
        _ results: [Any], with found: [ModelKeychain.Item], _ request: ModelRequest, atMost count: Int
    ) throws {
        let isBare = request.kinds.count < 2
        if request.kinds.isEmpty || request.kinds == ["r_Ref"] { return try expectEqual(results.count, 0, "results:") }
        if request.kinds == ["r_Data"] {
            try expect(results.count <= count, "\(results.count) results of at most \(count)")
        } else {
            try expectEqual(results.count, count, "results:")
        }
        for result in results {
            let isFound =
                switch request.kinds {
                case ["r_Data"]: found.contains { $0.data.map { Data($0) } == result as? Data }
                case ["r_PersistentRef"]: found.contains { Data($0.reference) == result as? Data }
                default:
                    found.contains { item in
                        (result as? [String: Any]).map { item.isShown(in: $0, request.kinds) } ?? false
                    }
                }
            try expect(isFound, "a result that the model did not find, \(isBare ? "bare" : "of many kinds")")
        }
    }

    /// Expects that the store and the model have the same items.
    private func compareStores() throws {
        var shown: [[UInt8]: [String: Any]] = [:]
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            var result: CFTypeRef?
            let status = everything.copyMatching(
                [
                    kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                    kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true, kSecReturnData: true,
                    kSecReturnPersistentRef: true,
                ] as CFDictionary, &result)
            try expect([errSecSuccess, errSecItemNotFound].contains(status), "look-up of all answered \(status)")
            for item in result as? [[String: Any]] ?? [] {
                let reference = try expectValue(item["v_PersistentRef"] as? Data, "a reference")
                shown[Array(reference)] = item
            }
        }
        try expectEqual(shown.count, model.items.count, "items in the store:")
        for item in model.items {
            let dictionary = try expectValue(shown[item.reference], "the item of \(item.attributes)")
            try expect(
                item.isShown(in: dictionary, ["r_Data", "r_Attributes", "r_PersistentRef"]),
                "the store has \(dictionary), the model \(item)")
        }
    }
}

extension ModelKeychain.Item {
    /// Whether a dictionary of a result shows this item, in the requested kinds of result.
    fileprivate func isShown(in dictionary: [String: Any], _ kinds: Set<String>) -> Bool {
        if kinds.contains("r_PersistentRef"), dictionary["v_PersistentRef"] as? Data != Data(reference) { return false }
        if kinds.contains("r_Data"), dictionary["v_Data"] as? Data != data.map({ Data($0) }) { return false }
        guard kinds.contains("r_Attributes") else { return true }
        return attributes.allSatisfy { name, value in value.isShown(as: dictionary[name]) }
            && ModelAttributes.names(of: itemClass).allSatisfy { name in
                attributes[name] != nil || dictionary[name] == nil || ["cdat", "mdat"].contains(name)
                    || ModelAttributes.primaryKey(of: itemClass)[name]?.isShown(as: dictionary[name]) == true
            }
    }
}

extension StoredValue {
    fileprivate var object: Any {
        switch self {
        case .bytes(let bytes, isText: true): String(decoding: bytes, as: UTF8.self)
        case .bytes(let bytes, isText: false): Data(bytes)
        case .number(let number): number
        case .fraction(let number): number
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        }
    }
}
