// SPDX-License-Identifier: Apache-2.0

/// What there is for each of a store's keys, by the key's name.
///
/// A list. With eleven names at most, nobody gains by hashing them, and Swift searches the whole program for how to, once.
package struct KeyTable<Value> {
    /// The values, each with its key's name.
    package private(set) var entries: [(name: KeyName, value: Value)] = []

    /// An empty table.
    package init() {}

    /// The value of that key, if there is one.
    package subscript(name: KeyName) -> Value? {
        get {
            for entry in entries where entry.name == name { return entry.value }
            return nil
        }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append((name, newValue)) }
        }
    }

    /// Whether every key that each store has is there, and all that are there are such.
    package func isComplete(_ isSuch: (Value) -> Bool) -> Bool {
        KeyName.required.allSatisfy { self[$0] != nil } && allSatisfy { _, value in isSuch(value) }
    }

    /// Whether all that there are are such.
    package func allSatisfy(_ isSuch: (KeyName, Value) -> Bool) -> Bool {
        entries.allSatisfy { isSuch($0.name, $0.value) }
    }

    /// The table with what another one has, too. Where both have a value, the other's counts.
    package func adding(_ other: KeyTable) -> KeyTable {
        var result = self
        for entry in other.entries { result[entry.name] = entry.value }
        return result
    }

    /// The table without some.
    package func filter(_ isKept: (KeyName) -> Bool) -> KeyTable {
        var result = KeyTable()
        result.entries = entries.filter { isKept($0.name) }
        return result
    }
}

extension KeyTable: Sendable where Value: Sendable {}
