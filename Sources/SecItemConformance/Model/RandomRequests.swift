// SPDX-License-Identifier: Apache-2.0

/// A generator that gives the same numbers for the same seed on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var result = state
        result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
        result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
        return result ^ (result >> 31)
    }

    /// True in that percentage of calls.
    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}

/// Makes random dictionaries. Most are sensible and use few values, so that items collide and queries find them. Some
/// can contain anything.
struct RandomRequests {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    enum Call: CaseIterable {
        case add, copyMatching, update, delete
    }

    mutating func call() -> Call {
        random.pick([.add, .add, .add, .add, .copyMatching, .copyMatching, .copyMatching, .update, .update, .delete])
    }

    /// A query, or an item to add.
    mutating func query(for call: Call, items: [ModelKeychain.Item]) -> ModelDictionary {
        var result: ModelDictionary = [:]
        if call != .add && !items.isEmpty && random.chance(75) {
            result = query(for: random.pick(items))
        } else {
            let itemClass = random.pick(ModelAttributes.classes)
            if random.chance(97) { result[.text("class")] = .text(itemClass) }
            if random.chance(3) { result[.text("v_PersistentRef")] = .data(unknownReference) }
            addAttributes(to: &result, of: itemClass, atMost: call == .add ? 5 : 2)
            if random.chance(25) { result[.text("sync")] = synchronizable() }
        }
        if call == .add || random.chance(5) { result[.text("v_Data")] = data() }
        if call == .copyMatching || random.chance(10) { addLimitAndKinds(to: &result) }
        if random.chance(20) { addChaos(to: &result, of: result["class"]?.text ?? "genp") }
        return result
    }

    /// A query for an existing item, which may also find similar items.
    private mutating func query(for item: ModelKeychain.Item) -> ModelDictionary {
        var result: ModelDictionary = [:]
        if random.chance(30) {
            result[.text("v_PersistentRef")] = .data(item.reference)
            if random.chance(20) { result[.text("class")] = .text(random.pick(ModelAttributes.classes)) }
            if random.chance(80) { return result }
        }
        result[.text("class")] = .text(item.itemClass)
        for (name, value) in item.attributes.sorted(by: { $0.key < $1.key }) where name == "agrp" || random.chance(30) {
            result[.text(name)] = value.given
        }
        if random.chance(90) { result[.text("sync")] = item.attributes["sync"]?.given }
        return result
    }

    /// The changes of an update.
    mutating func changes(of itemClass: String?) -> ModelDictionary {
        var result: ModelDictionary = [:]
        addAttributes(to: &result, of: itemClass ?? "genp", atMost: 2)
        if random.chance(40) { result[.text("v_Data")] = data() }
        if random.chance(5) { result[.text("sync")] = synchronizable() }
        if random.chance(15) { addChaos(to: &result, of: itemClass ?? "genp") }
        return result
    }

    // MARK: Sensible

    private mutating func addAttributes(to dictionary: inout ModelDictionary, of itemClass: String, atMost count: Int) {
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            let name = random.pick(ModelAttributes.names(of: itemClass) + ["acct", "acct", "labl", "labl"])
            guard let kind = ModelAttributes.kind(of: name, in: itemClass) else { continue }
            dictionary[.text(name)] = value(of: name, kind)
        }
    }

    private mutating func value(of name: String, _ kind: ModelAttributes.Kind) -> ModelValue {
        switch (name, kind) {
        case ("pdmn", _): .text(random.pick(["ak", "ck", "dk", "aku", "cku", "dku", "akpu", "ak", "ck"]))
        case ("agrp", _): .text(random.pick(["group.one", "group.two"]))
        case (_, .string): random.pick([.text("view"), .text(""), .data(Array("view".utf8))])
        case (_, .blob):
            random.pick([
                .text("a"), .text("b"), .text("é"), .text("e\u{301}"), .text(""), .data(Array("a".utf8)), .number(1),
                .fraction(1.5), .text(String(repeating: "long ", count: 200)),
            ])
        case (_, .number):
            random.pick([.number(0), .number(443), .text("443"), .text("htps"), .truth(true), .text("043")])
        case (_, .date): .date(random.pick([0, 1_000_000.5]))
        }
    }

    private mutating func synchronizable() -> ModelValue {
        random.pick([.truth(true), .truth(false), .text("syna"), .number(1), .text("0"), .text("syna")])
    }

    private mutating func data() -> ModelValue {
        .data(random.pick([[], Array("secret".utf8), Array("other".utf8), Array(repeating: 0x61, count: 5000)]))
    }

    private var unknownReference: [UInt8] { Array("genp".utf8) + Array(repeating: 9, count: 16) }

    private mutating func addLimitAndKinds(to dictionary: inout ModelDictionary) {
        for name in ["r_Data", "r_Attributes", "r_PersistentRef", "r_Ref"] where random.chance(40) {
            dictionary[.text(name)] = .truth(random.chance(80))
        }
        if random.chance(60) {
            dictionary[.text("m_Limit")] = random.pick([
                .text("m_LimitAll"), .text("m_LimitOne"), .text("m_LimitAll"), .number(1), .number(2), .number(0),
                .number(-1), .number(-5), .number(.max),
            ])
        }
    }

    // MARK: Anything

    private mutating func addChaos(to dictionary: inout ModelDictionary, of itemClass: String) {
        if random.chance(2) {
            for index in 0..<300 { dictionary[.text("m_rule\(index)")] = .number(index) }
        }
        for _ in 0...Int.random(in: 0...2, using: &random) {
            dictionary[key(itemClass)] = anyValue()
        }
    }

    private mutating func key(_ itemClass: String) -> ModelKey {
        let keys = [
            "class", "v_Data", "v_PersistentRef", "v_Ref", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef",
            "m_Limit", "m_Nonsense", "m_CaseInsensitive", "r_Nonsense", "u_Nonsense", "v_Nonsense", "f_nonsense",
            "sync", "accc", "nleg", "acls", "u_AuthUI", "u_NoAuthUI", "u_OpPrompt", "u_Keychain", "u_AuthCtx",
            "u_ItemList", "clip", "abcd", "atag", "srvr", "svce", "", "x", "xylophone", "CLASS", "persistref", "🔑🔒",
            "🔑🔒🔑", "r", "m", String(repeating: "k", count: 1000),
        ]
        if random.chance(5) { return .number(7) }
        if random.chance(3) { return .date }
        return .text(random.pick(keys + ModelAttributes.names(of: itemClass)))
    }

    private mutating func anyValue() -> ModelValue {
        random.pick([
            .text("text"), .text(""), .text("genp"), .text("u_AuthUIS"), .text("42"), .text("m_LimitAll"),
            .text(String(repeating: "huge ", count: 2000)), .data([]), .data([0xFF, 0xFE]), .data(Array("genp".utf8)),
            .data(Array("inet".utf8) + Array(repeating: 0, count: 8)), .data(Array(repeating: 7, count: 20)),
            .data(Array(repeating: 0xEE, count: 20_000)), .truth(true), .truth(false), .number(0), .number(1),
            .number(-3), .fraction(0.5), .fraction(1e300), .date(5), .uuid, .null, .array, .nested, .cyclic,
            .stranger, .control(protection: "ak", isConstrained: false),
            .control(protection: "cku", isConstrained: false), .control(protection: "ak", isConstrained: true),
        ])
    }
}

extension StoredValue {
    /// The value as a client gives it.
    fileprivate var given: ModelValue {
        switch self {
        case .bytes(let bytes, isText: true): .text(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes, isText: false): .data(bytes)
        case .number(let number): .number(number)
        case .fraction(let number): .fraction(number)
        case .date(let seconds): .date(seconds)
        }
    }
}
