// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

extension TemporaryFolder {
    var location: StoreLocation { StoreLocation(folder: path + "/secitem") }
}

/// A store for most tests: it has a low cost and caches no keys.
func openStore(
    _ location: StoreLocation, passphrase: String? = nil, cache: FirstUnlockCache = .none,
    logger: Logger = CollectedLog().logger
) throws -> SQLiteStore {
    let protector: any RootKeyProtector =
        passphrase.map { passphrase in
            PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
        } ?? KeyFileProtector()
    return try SQLiteStore(location: location, protector: protector, cache: cache, logger: logger)
}

extension ItemRecord {
    /// A generic password.
    static func password(
        service: String = "service", account: String = "account", group: String = "group", label: String? = nil,
        accessible: Accessible = .whenUnlocked, secret: Data? = Data("secret".utf8),
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> ItemRecord {
        var attributes: [ItemAttribute: AttributeValue] = [
            .service: .string(service), .account: .string(account), .accessGroup: .string(group),
            .accessible: .string(accessible.rawValue), .synchronizable: .integer(0), .tombstone: .integer(0),
            .multiUser: .data(Data()), .creationDate: .date(Date()), .modificationDate: .date(Date()),
        ]
        attributes[.label] = label.map(AttributeValue.string)
        attributes.merge(more) { _, new in new }
        return ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: secret.map { [.valueData: Secret($0)] } ?? [:]
        )
    }

    var secretData: Data? { secrets[.valueData]?.data() }
    var accountName: String? { attributes[.account]?.string }
}

extension RecordFilter {
    /// A filter for generic passwords.
    static func password(
        service: String? = nil, account: String? = nil, groups: [String]? = ["group"],
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> RecordFilter {
        var attributes: [ItemAttribute: AttributeValue] = [.synchronizable: .integer(0)]
        attributes[.service] = service.map(AttributeValue.string)
        attributes[.account] = account.map(AttributeValue.string)
        attributes.merge(more) { _, new in new }
        return RecordFilter(itemClass: .genericPassword, attributes: attributes, accessGroups: groups)
    }
}

extension KeychainStore {
    func insert(_ record: ItemRecord) throws { try insert(record, interaction: .allowed) }

    func find(
        _ filter: RecordFilter, _ parts: RecordParts = [.attributes, .secrets], limit: Int? = nil,
        interaction: Interaction = .allowed
    ) throws -> [ItemRecord] {
        try records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    @discardableResult
    func update(
        _ filter: RecordFilter, _ attributes: [ItemAttribute: AttributeValue] = [:],
        secret: Data? = nil
    ) throws -> Int {
        let secrets = secret.map { [ItemAttribute.valueData: Secret($0)] } ?? [:]
        return try update(
            matching: filter, applying: RecordChanges(attributes: attributes, secrets: secrets), interaction: .allowed)
    }

    @discardableResult
    func delete(_ filter: RecordFilter) throws -> Int { try delete(matching: filter, interaction: .allowed) }
}

/// Expects an error with this code.
func expect(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("no error, but \(code.name) was expected", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}

extension StoreLocation {
    /// The contents of the folder's files.
    func contents() throws -> [String: Data] {
        // Without the index of the log, which the first reader makes again.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-shm") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }
}
