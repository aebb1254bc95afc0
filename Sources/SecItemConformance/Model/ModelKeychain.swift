// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The simplest possible keychain: a list of items, and the rules written plainly. The keychain under test must return
/// what the model predicts.
struct ModelKeychain {
    struct Item {
        let itemClass: String
        var attributes: [String: StoredValue]
        var data: [UInt8]?
        var reference: [UInt8]

        var primaryKey: [String: StoredValue] {
            var key = ModelAttributes.primaryKey(of: itemClass)
            for (name, empty) in key { key[name] = attributes[name] ?? empty }
            // Text and data with the same bytes are the same key.
            return key.mapValues { value in
                if case .bytes(let bytes, _) = value { .bytes(bytes, isText: true) } else { value }
            }
        }
    }

    var items: [Item] = []
    let group: String
    let isPassphraseProtected: Bool

    // MARK: The four calls

    /// The statuses that an add may return. If success is among them, it is the only one, and the model adds the item.
    mutating func add(_ dictionary: ModelDictionary) -> Set<OSStatus> {
        let request = ModelRequest(dictionary, .add)
        var problems = request.problems
        problems.formUnion(protectionProblems(of: request))
        if request.isOldReference { problems.insert(errSecParam) }
        guard problems.isEmpty, let itemClass = request.itemClass else { return problems }
        var attributes = request.attributes
        attributes["cdat"] = nil
        attributes["mdat"] = nil
        attributes["agrp"] = attributes["agrp"] ?? .text(group)
        attributes["pdmn"] = attributes["pdmn"] ?? .text("ak")
        attributes["sync"] = .number(request.isSynchronized == true ? 1 : 0)
        let item = Item(itemClass: itemClass, attributes: attributes, data: request.data, reference: [])
        if items.contains(where: { $0.isSame(as: item) }) { return [errSecDuplicateItem] }
        items.append(item)
        return [errSecSuccess]
    }

    /// The statuses that a look-up may return, and the items that it finds.
    func copyMatching(_ dictionary: ModelDictionary) -> (statuses: Set<OSStatus>, found: [Item], request: ModelRequest)
    {
        let request = ModelRequest(dictionary, .copyMatching)
        guard request.problems.isEmpty else { return (request.problems, [], request) }
        let found = items.filter { request.finds($0, in: group) }
        let isFound = !found.isEmpty && request.limit != 0 && !request.isOldReference
        return ([isFound ? errSecSuccess : errSecItemNotFound], found, request)
    }

    /// The statuses that an update may return. If success is among them, the model changes the items.
    mutating func update(_ query: ModelDictionary, _ changes: ModelDictionary) -> Set<OSStatus> {
        let request = ModelRequest(query, .update)
        let wanted = ModelRequest(changes: changes, of: request.itemClass)
        let problems = request.problems.union(wanted.problems).union(protectionProblems(of: wanted))
        guard problems.isEmpty else { return problems }
        let matches = items.indices.filter { !request.isOldReference && request.finds(items[$0], in: group) }
        if matches.isEmpty || request.limit == 0 { return [errSecItemNotFound] }
        if matches.count > request.limit ?? .max { return [errSecParam] }
        var next = items
        for index in matches {
            next[index].attributes.merge(wanted.attributes.filter { $0.key != "mdat" }) { $1 }
            next[index].attributes["sync"] =
                wanted.isSynchronized.map { .number($0 ? 1 : 0) } ?? next[index].attributes["sync"]
            next[index].data = wanted.data ?? next[index].data
        }
        let keys = next.map { [$0.itemClass: $0.primaryKey] }
        if Set(keys).count < keys.count { return [errSecDuplicateItem] }
        items = next
        return [errSecSuccess]
    }

    /// The statuses that a delete may return. If success is among them, the model deletes the items.
    mutating func delete(_ dictionary: ModelDictionary) -> Set<OSStatus> {
        let request = ModelRequest(dictionary, .delete)
        guard request.problems.isEmpty else { return request.problems }
        let matches = items.filter { !request.isOldReference && request.finds($0, in: group) }
        if matches.isEmpty || request.limit == 0 { return [errSecItemNotFound] }
        if matches.count > request.limit ?? .max { return [errSecParam] }
        items.removeAll { request.finds($0, in: group) }
        return [errSecSuccess]
    }

    private func protectionProblems(of request: ModelRequest) -> Set<OSStatus> {
        if request.isConstrained { return [request.isSynchronized == true ? errSecParam : errSecNotAvailable] }
        switch request.attributes["pdmn"] {
        case .text("f"): return [errSecNotAvailable]
        case .text("akpu") where !isPassphraseProtected: return [errSecNotAvailable]
        default: return []
        }
    }
}

extension ModelKeychain.Item {
    fileprivate func isSame(as other: ModelKeychain.Item) -> Bool {
        itemClass == other.itemClass && primaryKey == other.primaryKey
    }
}
