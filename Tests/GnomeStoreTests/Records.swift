// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Short forms of the records in tests.
extension ItemRecord {
    /// A generic password in the form that the engine makes.
    static func password(
        _ service: String, _ account: String, _ secret: String? = "secret", group: String = "org.example.tests",
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> ItemRecord {
        make(.genericPassword, [.service: .string(service), .account: .string(account)], secret, group, more)
    }

    /// An internet password in the form that the engine makes.
    static func internetPassword(
        _ server: String, _ account: String, _ secret: String? = "secret", group: String = "org.example.tests",
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> ItemRecord {
        make(.internetPassword, [.server: .string(server), .account: .string(account)], secret, group, more)
    }

    private static func make(
        _ itemClass: ItemClass, _ named: [ItemAttribute: AttributeValue], _ secret: String?, _ group: String,
        _ more: [ItemAttribute: AttributeValue]
    ) -> ItemRecord {
        var attributes = named.merging(more) { _, new in new }
        for row in ItemSchema.schema(of: itemClass).requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        attributes[.accessGroup] = .string(group)
        attributes[.accessible] = .string("ak")
        attributes[.creationDate] = .date(Date())
        attributes[.modificationDate] = attributes[.creationDate]
        return ItemRecord(
            reference: PersistentReference(itemClass: itemClass), attributes: attributes,
            secrets: secret.map { [.valueData: Secret(Data($0.utf8))] } ?? [:]
        )
    }

    var text: String? {
        secrets[.valueData].map { String(decoding: $0.data(), as: UTF8.self) }
    }
}

extension RecordChanges {
    /// A change of the secret alone.
    static func secret(_ text: String) -> RecordChanges {
        RecordChanges(attributes: [:], secrets: [.valueData: Secret(Data(text.utf8))])
    }
}

extension RecordFilter {
    static func password(
        _ service: String? = nil, _ account: String? = nil, group: String = "org.example.tests"
    ) -> RecordFilter {
        var attributes: [ItemAttribute: AttributeValue] = [.tombstone: .integer(0), .synchronizable: .integer(0)]
        attributes[.service] = service.map { .string($0) }
        attributes[.account] = account.map { .string($0) }
        return RecordFilter(itemClass: .genericPassword, attributes: attributes, accessGroups: [group])
    }

    static func internetPassword(
        _ server: String, _ more: [ItemAttribute: AttributeValue] = [:], group: String = "org.example.tests"
    ) -> RecordFilter {
        let attributes = [.server: .string(server), .tombstone: .integer(0)].merging(more) { _, new in new }
        return RecordFilter(itemClass: .internetPassword, attributes: attributes, accessGroups: [group])
    }
}

extension KeychainStore {
    /// All records that match the filter, with attributes and secrets.
    func all(_ filter: RecordFilter, interaction: Interaction = .allowed) throws -> [ItemRecord] {
        try records(matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: interaction)
    }

    /// The secret of the first record that matches the filter.
    func secret(_ filter: RecordFilter, interaction: Interaction = .allowed) throws -> String? {
        try records(matching: filter, parts: .secrets, limit: 1, interaction: interaction).first?.text
    }
}

/// The code of the error that `body` throws; nil if it throws none.
func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch let error as StoreError {
        return error.code
    } catch {
        return StoreError.Code.io
    }
}
