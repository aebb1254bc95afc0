// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

extension ItemRecord {
    /// A generic password with constraints. By default, a passphrase satisfies them.
    static func guarded(
        _ account: String, _ flags: AccessConstraints.Flags = .devicePasscode, accessible: Accessible = .whenUnlocked,
        secret: Data? = Data("secret".utf8)
    ) throws -> ItemRecord {
        let constraints = try #require(AccessConstraints(flags: flags))
        return .password(
            account: account, accessible: accessible, secret: secret,
            more: [.accessControl: .data(constraints.encoded)])
    }
}

extension Secret {
    convenience init(_ text: String) { self.init(Data(text.utf8)) }
}

extension SQLiteStore {
    /// The secrets of a record, opened with the passphrase.
    func secrets(of record: ItemRecord, passphrase: String) throws -> [ItemAttribute: Data] {
        guard let guarded = record.guardedSecrets else { return record.secrets.mapValues { $0.data() } }
        #expect(record.secrets.isEmpty)
        let key = try guardKey(passphrase: Secret(passphrase))
        return try secrets(in: guarded, of: record, with: key).mapValues { $0.data() }
    }

    /// The secret of the item with this account, opened if necessary.
    func secret(_ account: String, passphrase: String = "right") throws -> Data? {
        let record = try #require(try find(.password(account: account)).first)
        return try secrets(of: record, passphrase: passphrase)[.valueData]
    }

    /// Changes the passphrase, at the lowest cost.
    func changePassphrase(_ old: String?, to new: String?) throws {
        try setPassphrase(new.map { Secret($0) }, current: old.map { Secret($0) }, cost: .lowest)
    }

    func hasGuardKey() throws -> Bool { try header().keys[.guardKey] != nil }

    func header() throws -> StoreHeader { try connection.read(StoreHeader.read) }
}
