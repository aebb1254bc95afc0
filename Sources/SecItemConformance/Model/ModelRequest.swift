// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// A random dictionary, read by the plain rules: its mistakes, and what it asks for.
///
/// Apple's keychain stops at the first mistake that it meets, in no specified order. So each mistake gives a status
/// that the call may return.
struct ModelRequest {
    enum Call {
        case add, copyMatching, update, delete, changes
    }

    private(set) var itemClass: String?
    private(set) var problems: Set<OSStatus> = []
    private(set) var attributes: [String: StoredValue] = [:]
    private(set) var isSynchronized: Bool?
    private(set) var isAnySynchronized = false
    private(set) var data: [UInt8]?
    private(set) var reference: [UInt8]?
    private(set) var isOldReference = false
    private(set) var isConstrained = false
    /// The greatest number of results; nil for all.
    private(set) var limit: Int? = 1
    private(set) var isArray = false
    private(set) var kinds: Set<String> = []

    private let call: Call
    private var control: String?
    private var namesAttributes = false

    /// Reads a query, or an item to add.
    init(_ dictionary: ModelDictionary, _ call: Call) {
        self.call = call
        if call == .update || call == .delete { limit = nil }
        readClass(dictionary)
        for (key, value) in dictionary {
            switch key {
            case .text(let name): read(name, value)
            case .number: problems.insert(errSecNoSuchAttr)
            case .date: problems.insert(errSecParam)
            }
        }
        if dictionary.count > 128 { problems.insert(errSecParam) }
        if [.update, .delete].contains(call), let group = dictionary["agrp"], group.text == nil {
            problems = [errSecMissingEntitlement]
        }
        if dictionary["clip"] != nil { problems = [errSecParam] }
        if namesAttributes, reference != nil, call == .copyMatching || isOldReference { problems.insert(errSecParam) }
        joinControl()
    }

    /// Reads the changes of an update.
    init(changes dictionary: ModelDictionary, of itemClass: String?) {
        call = .changes
        self.itemClass = itemClass
        for (key, value) in dictionary {
            switch key {
            case .text("v_Data"): read("v_Data", value)
            case .text(let name) where name.utf16.count == 4: readAttribute(name, value)
            case .text: problems.insert(errSecNoSuchAttr)
            case .number, .date: problems.insert(errSecParam)
            }
        }
        if isAnySynchronized || dictionary["clip"] != nil { problems.insert(errSecParam) }
        joinControl()
    }

    /// Whether the query means the item.
    func finds(_ item: ModelKeychain.Item, in group: String) -> Bool {
        guard item.itemClass == itemClass, reference == nil || item.reference == reference else { return false }
        let wantedGroup = attributes["agrp"] ?? .text(group)
        guard item.attributes["agrp"]?.matches(wantedGroup) == true else { return false }
        let isSynchronizedItem = item.attributes["sync"] == .number(1)
        if !isAnySynchronized && (reference == nil || isSynchronized != nil) {
            guard isSynchronizedItem == (isSynchronized ?? false) else { return false }
        }
        let empty = ModelAttributes.primaryKey(of: item.itemClass)
        return attributes.allSatisfy { name, wanted in
            (item.attributes[name] ?? empty[name])?.matches(wanted) ?? false
        }
    }

    // MARK: Reading

    private mutating func readClass(_ dictionary: ModelDictionary) {
        let named = dictionary["class"]?.text
        if let named, !ModelAttributes.classes.contains(named) { problems.insert(errSecNoSuchClass) }
        itemClass = named
        guard let value = dictionary["v_PersistentRef"] else {
            if named == nil { problems.insert(errSecParam) }
            return
        }
        guard case .data(let bytes) = value, bytes.count == 12 || bytes.count == 20,
            let ofReference = String(validating: bytes.prefix(4), as: UTF8.self),
            ModelAttributes.classes.contains(ofReference)
        else {
            problems.insert(errSecParam)
            return
        }
        if let named, named != ofReference { problems.insert(errSecNoSuchClass) }
        itemClass = named ?? ofReference
        reference = bytes
        isOldReference = bytes.count == 12
    }

    private mutating func read(_ name: String, _ value: ModelValue) {
        if name.utf16.count == 4 { return readAttribute(name, value) }
        switch name.first {
        case "c" where name == "class": break
        case "m" where name.count > 1: if call != .add { readRule(name, value) }
        case "r" where name.count > 1: readReturn(name, value)
        case "u" where name.count > 1: readUse(name, value)
        case "v" where name == "v_Data":
            if case .data(let bytes) = value { data = bytes } else { problems.insert(errSecParam) }
        case "v" where name == "v_PersistentRef": break
        case "f" where name.count > 1: break
        default: problems.insert(errSecParam)
        }
    }

    private mutating func readAttribute(_ name: String, _ value: ModelValue) {
        switch name {
        case "nleg", "acls": return
        case "sync": readSynchronizable(value)
        case "accc":
            namesAttributes = true
            guard case .control(let protection, let isConstrained) = value else {
                problems.insert(errSecParam)
                return
            }
            control = protection
            self.isConstrained = isConstrained
        default:
            guard let itemClass, let kind = ModelAttributes.kind(of: name, in: itemClass) else {
                problems.insert(errSecNoSuchAttr)
                return
            }
            namesAttributes = true
            guard let stored = ModelAttributes.coerced(value, kind) else {
                problems.insert(errSecParam)
                return
            }
            attributes[name] = stored
            if name == "pdmn", !Self.protections.contains(stored) { problems.insert(errSecParam) }
        }
    }

    private static let protections: Set<StoredValue> = Set(
        ["ak", "ck", "dk", "aku", "cku", "dku", "akpu", "f"].map { StoredValue.text($0) })

    private mutating func readSynchronizable(_ value: ModelValue) {
        switch value {
        case .text("syna"): isAnySynchronized = true
        case .truth(let truth): isSynchronized = truth
        case .number(let number): isSynchronized = number != 0
        case .fraction(let number): isSynchronized = number != 0
        case .text(let text) where Int32(text) != nil: isSynchronized = Int32(text) != 0
        default: problems.insert(errSecParam)
        }
        if !isAnySynchronized { namesAttributes = true }
    }

    private mutating func readRule(_ name: String, _ value: ModelValue) {
        let widens = ["m_CaseInsensitive", "m_DiacriticInsensitive", "m_WidthInsensitive"].contains(name)
        if call != .copyMatching && !widens && name != "m_Limit" { problems.insert(errSecParam) }
        switch (name, value) {
        case ("m_Limit", .text("m_LimitOne")), ("m_Limit", .number(1)): (limit, isArray) = (1, false)
        case ("m_Limit", .text("m_LimitAll")), ("m_Limit", .number(-1)): (limit, isArray) = (nil, true)
        case ("m_Limit", .number(let number)): (limit, isArray) = (number < 0 ? 1 : number, true)
        case ("m_Limit", _), (_, .stranger), (_, .control): problems.insert(errSecParam)
        default: break
        }
    }

    private mutating func readReturn(_ name: String, _ value: ModelValue) {
        let isKnown = ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"].contains(name)
        if isKnown && (call == .update || call == .delete) { return }
        guard isKnown, let isWanted = value.truth else {
            problems.insert(errSecParam)
            return
        }
        if isWanted { kinds.insert(name) }
    }

    private mutating func readUse(_ name: String, _ value: ModelValue) {
        switch name {
        case "u_AuthUI": if value.text == "u_AuthUIS", call != .copyMatching { problems.insert(errSecParam) }
        case "u_NoAuthUI", "u_OpPrompt", "u_Keychain": break
        // No value of the model is a context, so each is refused with the unknown keys.
        default: problems.insert(errSecParam)
        }
    }

    /// An access control sets the protection class, and must not contradict a class that is named as well.
    private mutating func joinControl() {
        guard let control else { return }
        if let named = attributes["pdmn"], isConstrained || named != .text(control) { problems.insert(errSecParam) }
        let isStored = call == .add || call == .changes
        if isStored && !isConstrained { attributes["pdmn"] = .text(control) }
    }
}
