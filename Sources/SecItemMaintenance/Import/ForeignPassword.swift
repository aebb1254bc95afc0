// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A password of another program, in the form of this keychain.
package struct ForeignPassword: Sendable {
    /// The kind of item: a generic password of a service, or an internet password of a server.
    package enum Place: Sendable, Hashable {
        case service(String)
        case server(String)
    }

    package let place: Place
    package let account: String
    package let secret: Secret
    /// Further attributes of the item. They count instead of the place and the account, whose names may be bytes that are no
    /// text.
    package var attributes: [ItemAttribute: AttributeValue] = [:]

    package init(_ place: Place, account: String, secret: Secret) {
        self.place = place
        self.account = account
        self.secret = secret
    }

    /// The item in an access group.
    func record(group: String, date: Date) -> ItemRecord {
        let itemClass: ItemClass
        var attributes = attributes
        switch place {
        case .service(let name):
            itemClass = .genericPassword
            attributes[.service] = attributes[.service] ?? .string(name)
            attributes[.label] = attributes[.label] ?? .string(name)
        case .server(let name):
            itemClass = .internetPassword
            attributes[.server] = attributes[.server] ?? .string(name)
            attributes[.label] = attributes[.label] ?? .string(name)
        }
        attributes[.account] = attributes[.account] ?? .string(account)
        attributes[.accessGroup] = .string(group)
        let schema = ItemSchema.schema(of: itemClass)
        attributes[.accessible] = .string(schema.defaultAccessible.rawValue)
        for row in schema.requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        attributes[.creationDate] = attributes[.creationDate] ?? .date(date)
        attributes[.modificationDate] = attributes[.modificationDate] ?? .date(date)
        return ItemRecord(
            reference: PersistentReference(itemClass: itemClass),
            attributes: attributes.filter { schema[$0.key] != nil }, secrets: [.valueData: secret])
    }
}

/// A password that could not be imported, in words that name it and show no secret.
package struct ImportRefusal: Sendable, Equatable {
    package let name: String
    package let reason: String
}

/// The place where another program stores its passwords.
package protocol ForeignSource {
    /// Calls `take` with each password.
    ///
    /// - Returns: The passwords that cannot be imported.
    /// - Throws: ``StoreError/Code/corrupt`` if it is not such a place, ``StoreError/Code/unavailable`` if it cannot be
    ///   read.
    func forEach(_ take: (ForeignPassword) throws(StoreError) -> Void) throws(StoreError) -> [ImportRefusal]
}

/// Imports another program's passwords into a store. The source does not change.
package enum ForeignImport {
    /// Imports all of them.
    ///
    /// - Parameters:
    ///   - source: The source of the passwords.
    ///   - store: The store that receives them. Existing items with different content keep it, unless `replaces` is
    ///     true.
    ///   - group: The access group of the new items.
    /// - Returns: What happened to the passwords, and which could not be read.
    package static func run(
        _ source: some ForeignSource, into store: any KeychainStore, group: String, replacing replaces: Bool = false,
        interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> (tally: TransferTally, refusals: [ImportRefusal]) {
        var transfer = ItemTransfer(into: store, replacing: replaces, interaction: interaction)
        let date = Date()
        var done = 0
        let refusals = try source.forEach { (password) throws(StoreError) in
            try transfer.put(password.record(group: group, date: date))
            done += 1
            progress.tell(done)
        }
        try transfer.flush()
        return (transfer.tally, refusals)
    }
}
