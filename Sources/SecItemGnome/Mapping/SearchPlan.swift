// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The searches on the Secret Service that find the items of a filter.
struct SearchPlan {
    /// The searches for this library's items. Each finds exactly the matching records in one group, except that values
    /// too long for the service are not compared.
    let own: [[String: String]]
    /// A search with few terms for items of any program, whose records must still be compared. Nil if the filter does
    /// not have the necessary values. A service compares every term with every item, so this search costs a third of
    /// ``own``.
    let narrow: [String: String]?
    /// The search for other programs' items, whose records must still be compared; nil if the filter excludes them.
    let foreign: [String: String]?
    /// Whether the filter identifies other programs' items well enough to change them.
    let namesForeignOwner: Bool

    init(_ filter: RecordFilter) {
        let schema = SecretSchema.schema(of: filter.itemClass)
        var wanted = [SecretSchema.className: filter.itemClass.rawValue]
        wanted[SecretSchema.identifierName] = filter.reference?.uuid.uuidString.lowercased()
        for (attribute, value) in filter.attributes {
            wanted[schema.name(of: attribute)] = ValueText(attribute, of: filter.itemClass).text(of: value)
        }
        narrow = filter.reference == nil ? Self.narrowSearch(wanted, schema) : nil
        if let groups = filter.accessGroups {
            let text = ValueText(.accessGroup, of: filter.itemClass)
            own = groups.map {
                wanted.merging([schema.name(of: .accessGroup): text.text(of: .string($0))]) { _, group in group }
            }
        } else {
            own = [wanted]
        }
        let foreign = filter.reference == nil ? Self.foreignSearch(filter, schema) : nil
        namesForeignOwner = schema.ownerAttribute.map { foreign?[schema.name(of: $0)] != nil } ?? false
        self.foreign = foreign
    }

    private static func narrowSearch(_ wanted: [String: String], _ schema: SecretSchema) -> [String: String]? {
        let names = schema.naturalAttributes.map { schema.name(of: $0) }
        let search = wanted.filter { names.contains($0.key) && isTerm($0.value) }
        return !names.isEmpty && search.count == names.count ? search : nil
    }

    /// Whether every service can search for a value. Other programs omit empty values, and KeePassXC cannot search for
    /// long ones.
    private static func isTerm(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 4096
    }

    /// Other programs omit attributes without a value, so the search only names values that are not empty.
    private static func foreignSearch(_ filter: RecordFilter, _ schema: SecretSchema) -> [String: String]? {
        var search: [String: String] = [:]
        var isNatural = false
        for (attribute, name) in schema.names {
            guard let value = filter.attributes[attribute] else { continue }
            let text = ValueText(attribute, of: filter.itemClass).text(of: value)
            if text.isEmpty { continue }
            search[name] = text
            isNatural = isNatural || schema.naturalAttributes.contains(attribute)
        }
        return isNatural ? search : nil
    }

    /// The search for all items that may have the primary key of a new record, of this library and of other programs.
    static func conflicts(with record: ItemRecord) -> [String: String] {
        let schema = SecretSchema.schema(of: record.itemClass)
        let attributes = record.ownAttributes()
        let natural = schema.names.keys.filter { schema.naturalAttributes.contains($0) }.map { schema.name(of: $0) }
        let search = attributes.filter { natural.contains($0.key) && isTerm($0.value) }
        return search.count == natural.count && !natural.isEmpty ? search : key(of: record, attributes)
    }

    /// The search for items of ours with that primary key.
    private static func key(of record: ItemRecord, _ attributes: [String: String]) -> [String: String] {
        let schema = SecretSchema.schema(of: record.itemClass)
        let names = ItemSchema.schema(of: record.itemClass).primaryKeyRows.map { schema.name(of: $0.attribute) }
        return attributes.filter { names.contains($0.key) || $0.key == SecretSchema.className }
    }
}
