// SPDX-License-Identifier: Apache-2.0

/// A value for each of a store's keys, by the key's name.
///
/// It is a list. There are eleven names at most, so a dictionary would not be faster, and the first one would make Swift
/// search the whole program for the hash function.
package struct KeyTable<Value> {
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

    /// Whether the table has every required key, and all its values satisfy the condition.
    func isComplete(_ condition: (Value) -> Bool) -> Bool {
        KeyName.required.allSatisfy { self[$0] != nil } && allSatisfy { _, value in condition(value) }
    }

    /// Whether all entries satisfy the condition.
    func allSatisfy(_ condition: (KeyName, Value) -> Bool) -> Bool {
        entries.allSatisfy { condition($0.name, $0.value) }
    }

    /// The table with the entries of another one. If both have a value for a key, the other's is used.
    package func adding(_ other: KeyTable) -> KeyTable {
        var result = self
        for entry in other.entries { result[entry.name] = entry.value }
        return result
    }

    /// The table with only the entries whose names satisfy the condition.
    func filter(_ isKept: (KeyName) -> Bool) -> KeyTable {
        var result = KeyTable()
        result.entries = entries.filter { isKept($0.name) }
        return result
    }
}

extension KeyTable: Sendable where Value: Sendable {}
