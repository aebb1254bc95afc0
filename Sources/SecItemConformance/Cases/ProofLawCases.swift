// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Random items, calls and answers: data is returned or changed only with the proofs that each of its items
    /// requires, and the person is asked no more questions than needed.
    static let proofLawCases: [ConformanceCase] = RandomRounds.usually(3).map { $0 + 1 }.map { seed in
        ConformanceCase(
            "guardedItems_seed\(seed)_openForTheirProofAlone", rules: "4.15", "8.9", "12.4",
            needs: RandomRounds.usually(1).contains(seed - 1) ? .noPassphrase : [.noPassphrase, .speed]
        ) { keychain in
            var run = ProofRun(keychain, seed: UInt64(seed))
            for _ in 0..<60 { try run.step() }
        }
    }
}

/// Random calls, and a model of the proofs that each item requires. The model has its own list of the conditions.
private struct ProofRun {
    private struct Item {
        let name: String
        let itemClass: CFString
        var demands: [AskedPerson.Question]
        var data: Data
    }

    private static var conditions: [(flags: SecAccessControlCreateFlags, demands: [AskedPerson.Question])] {
        [
            (.userPresence, [.passwordOrFinger]), (.biometryAny, [.finger]), (.devicePasscode, [.password]),
            ([.or, .biometryAny, .devicePasscode], [.passwordOrFinger]),
            ([.and, .biometryAny, .devicePasscode], [.finger, .password]),
            ([.biometryAny, .devicePasscode], [.finger, .password]), ([.or, .companion, .biometryAny], [.finger]),
        ]
    }

    private let keychain: ConformanceKeychain
    private let person = AskedPerson()
    private var random: SeededGenerator
    private var items: [Item] = []
    private var count: UInt32 = 0

    init(_ keychain: ConformanceKeychain, seed: UInt64) {
        self.keychain = keychain
        random = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        let hasPassword = random.chance(60), hasFinger = random.chance(60)
        person.answers { question in
            guard question.allowsPassword && hasPassword || question.allowsBiometry && hasFinger else {
                throw LAError(.authenticationFailed)
            }
        }
        func proves(_ question: AskedPerson.Question) -> Bool {
            question.allowsPassword && hasPassword || question.allowsBiometry && hasFinger
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try add()
        case 3..<7: try lookUp(proves)
        case 7..<9: try update(proves)
        default: try delete()
        }
    }

    // MARK: Calls

    private mutating func newData() -> Data {
        count += 1
        return withUnsafeBytes(of: count.bigEndian) { Data($0) }
    }

    private mutating func add() throws {
        guard items.count < 8 else { return }
        let item = GuardedItem(random.pick(GuardedItem.classes), "\(count)", [])
        let data = newData()
        let condition = random.chance(70) ? random.pick(Self.conditions) : nil
        var dictionary = item.query.with(kSecValueData, data).with(kSecUseOperationPrompt, person.reason)
        if let condition {
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, condition.flags)
            dictionary = dictionary.with(kSecAttrAccessControl, control)
        }
        try expect(keychain.add(dictionary))
        try person.expectQuestions([], "add:")
        items.append(
            Item(name: item.name, itemClass: item.itemClass, demands: condition?.demands ?? [], data: data))
    }

    private mutating func lookUp(_ proves: (AskedPerson.Question) -> Bool) throws {
        let (query, meant) = query()
        let wantsData = random.chance(70)
        let skips = random.chance(20), fails = !skips && random.chance(20)
        var dictionary = query.with(kSecReturnAttributes, true).with(kSecMatchLimit, kSecMatchLimitAll)
        if wantsData { dictionary = dictionary.with(kSecReturnData, true) }
        if skips { dictionary = dictionary.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip) }
        if fails { dictionary = dictionary.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail) }
        var result: CFTypeRef?
        let status = keychain.copyMatching(dictionary, &result)
        let found = (result as? [[String: Any]]) ?? []
        let questions = person.questions()
        let visible = wantsData && skips ? meant.filter(\.demands.isEmpty) : meant
        let needed = wantsData ? Self.needed(visible) : []
        guard !visible.isEmpty else { return try expect(status, errSecItemNotFound, "nothing meant:") }
        if needed.isEmpty || !fails && needed.allSatisfy(proves) {
            try expect(status, errSecSuccess, "\(needed)")
            try expectEqual(found.count, visible.count)
            try expect(Set(questions) == Set(needed) && questions.count == needed.count, "\(questions) for \(needed)")
            let data = Set(found.compactMap { $0["v_Data"] as? Data })
            try expect(data == (wantsData ? Set(visible.map(\.data)) : []), "other data")
        } else {
            try expect(status, fails ? errSecInteractionNotAllowed : errSecAuthFailed, "\(needed)")
            try expect(found.isEmpty, "results without the proof")
            try expect(!fails || questions.isEmpty, "a question that was forbidden")
        }
    }

    private mutating func update(_ proves: (AskedPerson.Question) -> Bool) throws {
        let (query, meant) = query()
        let kind = Int.random(in: 0..<3, using: &random)
        let data = newData()
        let condition = random.pick(Self.conditions)
        let changes: [CFString: Any] =
            switch kind {
            case 0: [kSecValueData: data]
            case 1:
                [
                    kSecAttrAccessControl: try accessControl(
                        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, condition.flags)
                ]
            default: [kSecAttrLabel: "label \(count)"]
            }
        let status = keychain.update(query, changes as CFDictionary)
        let questions = person.questions()
        let needed = kind < 2 ? Self.needed(meant) : []
        guard !meant.isEmpty else { return try expect(status, errSecItemNotFound, "nothing meant:") }
        guard needed.allSatisfy(proves) else { return try expect(status, errSecAuthFailed, "\(needed)") }
        try expect(status, errSecSuccess, "\(needed)")
        try expect(Set(questions) == Set(needed) && questions.count == needed.count, "\(questions) for \(needed)")
        for index in items.indices where meant.contains(where: { $0.name == items[index].name }) {
            if kind == 0 { items[index].data = data }
            if kind == 1 { items[index].demands = condition.demands }
        }
    }

    private mutating func delete() throws {
        guard let item = items.isEmpty ? nil : random.pick(items) else { return }
        try expect(keychain.delete(GuardedItem(item.itemClass, item.name, []).query))
        items.removeAll { $0.name == item.name }
        try person.expectQuestions([], "delete:")
    }

    /// A query, and the items that it matches: one item, or all of a class.
    private mutating func query() -> (CFDictionary, [Item]) {
        if let item = items.isEmpty || random.chance(50) ? nil : random.pick(items) {
            let query = GuardedItem(item.itemClass, item.name, []).query
            return (query.with(kSecUseOperationPrompt, person.reason), [item])
        }
        let itemClass = random.pick(GuardedItem.classes)
        let query = [kSecClass: itemClass, kSecUseOperationPrompt: person.reason] as CFDictionary
        return (query, items.filter { $0.itemClass == itemClass })
    }

    /// The fewest questions that open all of the items. The proof of a stricter question also answers a weaker one.
    private static func needed(_ items: [Item]) -> [AskedPerson.Question] {
        let all = Set(items.flatMap(\.demands))
        let isShown = all.contains(.finger) || all.contains(.password)
        return all.filter { $0 != .passwordOrFinger || !isShown }
    }
}
