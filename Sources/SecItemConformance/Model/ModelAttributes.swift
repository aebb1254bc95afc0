// SPDX-License-Identifier: Apache-2.0

import Foundation

enum StoredValue: Hashable, Sendable {
    case bytes([UInt8], isText: Bool)
    case number(Int)
    case fraction(Double)
    case date(TimeInterval)

    /// Whether a query for one value finds the other. Text and data with the same bytes find each other.
    func matches(_ other: StoredValue) -> Bool {
        if case .bytes(let own, _) = self, case .bytes(let others, _) = other { return own == others }
        return self == other
    }

    /// Whether an object in a result shows this value.
    func isShown(as object: Any?) -> Bool {
        switch self {
        case .bytes(let bytes, isText: true): (object as? String).map { Array($0.utf8) } == bytes
        case .bytes(let bytes, isText: false): (object as? Data).map { Array($0) } == bytes
        case .number(let number): object as? Int == number
        case .fraction(let number): object as? Double == number
        case .date(let seconds): (object as? Date)?.timeIntervalSinceReferenceDate == seconds
        }
    }

    static func text(_ text: String) -> StoredValue { .bytes(Array(text.utf8), isText: true) }
}

/// The attributes that the model knows. They are written from Apple's rules, and are not read from the schema under
/// test.
enum ModelAttributes {
    enum Kind {
        case string, blob, number, date
    }

    private static let common: [String: Kind] = [
        "labl": .blob, "agrp": .string, "pdmn": .string, "vwht": .string, "cdat": .date, "mdat": .date,
        "desc": .blob, "icmt": .blob, "crtr": .number, "type": .number, "invi": .number, "nega": .number,
        "acct": .blob,
    ]
    private static let kinds: [String: [String: Kind]] = [
        "genp": common.merging(["svce": .blob, "gena": .blob]) { $1 },
        "inet": common.merging([
            "srvr": .blob, "sdmn": .blob, "path": .blob, "atyp": .blob, "ptcl": .number, "port": .number,
        ]) { $1 },
    ]

    static let classes = ["genp", "inet"]

    /// The primary key, with the value that an absent attribute counts as.
    static func primaryKey(of itemClass: String) -> [String: StoredValue] {
        let nothing = StoredValue.text("")
        let shared = ["acct": nothing, "agrp": nothing, "vwht": nothing, "sync": .number(0)]
        let own: [String: StoredValue] =
            itemClass == "genp"
            ? ["svce": nothing]
            : [
                "srvr": nothing, "sdmn": nothing, "path": nothing, "atyp": nothing, "ptcl": .number(0),
                "port": .number(0),
            ]
        return shared.merging(own) { $1 }
    }

    static func kind(of attribute: String, in itemClass: String) -> Kind? {
        kinds[itemClass]?[attribute]
    }

    static func names(of itemClass: String) -> [String] {
        (kinds[itemClass] ?? [:]).keys.sorted()
    }

    /// The stored form of a caller's value, or nil if the keychain refuses the value.
    static func coerced(_ value: ModelValue, _ kind: Kind) -> StoredValue? {
        switch (kind, value) {
        case (.string, .text(let text)), (.blob, .text(let text)): .text(text)
        case (.string, .data(let bytes)):
            String(validating: bytes, as: UTF8.self).map { .text($0) }
        case (.blob, .data(let bytes)): .bytes(bytes, isText: false)
        case (.blob, .number(let number)), (.number, .number(let number)): .number(number)
        case (.blob, .fraction(let number)), (.number, .fraction(let number)): .fraction(number)
        case (.number, .truth(let truth)): .number(truth ? 1 : 0)
        case (.number, .text(let text)):
            Int32(text).flatMap { "\($0)" == text ? .number(Int($0)) : nil } ?? .text(text)
        case (.date, .date(let seconds)): .date(seconds)
        default: nil
        }
    }
}
