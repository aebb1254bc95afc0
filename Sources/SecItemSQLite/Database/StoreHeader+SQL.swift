// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import SecItemSealing
import SecItemStore

/// The header in the tables `store` and `keys`.
extension StoreHeader {
    static func read(_ database: any StatementSource) throws -> StoreHeader {
        // Read with PreparedQuery instead of GRDB's rows, which trap if a damaged file has another type in a column.
        let store = try PreparedQuery(database, "SELECT uuid, device_key, code FROM store WHERE id = 1")
        defer { store.finish() }
        guard try store.step(), let code = Blind(exactly: store.bytes(2)) else { throw damaged }
        let storeID = Array(store.bytes(0)), deviceKeyID = Array(store.bytes(1))
        guard storeID.count == 16, deviceKeyID.count == DeviceKey.idByteCount else { throw damaged }
        var keys = KeyTable<WrappedKey>()
        let query = try PreparedQuery(
            database, "SELECT name, wrapper, parameters, sealed, checksum, code FROM keys")
        defer { query.finish() }
        while try query.step() {
            guard let name = query.text(0).flatMap(KeyName.init), let wrapper = query.text(1),
                let code = Blind(exactly: query.bytes(5))
            else { throw damaged }
            keys[name] = WrappedKey(
                name: name, wrapper: wrapper, parameters: Array(query.bytes(2)), sealed: Array(query.bytes(3)),
                check: Array(query.bytes(4)), code: code
            )
        }
        return StoreHeader(storeID: storeID, deviceKeyID: deviceKeyID, code: code, keys: keys)
    }

    /// Whether the file's format matches these keys.
    func fits(_ format: Int64) -> Bool {
        (format == Format2.number) == (keys[.guardKey] != nil) && (keys[.guardKey] == nil || rootMethod.takesPassphrase)
    }

    /// Fills the tables of a new store with new keys. The parameters are those of
    /// ``make(deviceKey:protector:passphrase:withGuardKey:)``.
    @discardableResult
    static func write(
        _ database: Database, deviceKey: DeviceKey, protector: some RootKeyProtector, passphrase: Secret?,
        withGuardKey: Bool = false
    ) throws -> NewKeys {
        let (header, keys) = try make(
            deviceKey: deviceKey, protector: protector, passphrase: passphrase, withGuardKey: withGuardKey)
        try database.execute(
            sql: "INSERT INTO store (id, uuid, device_key, code) VALUES (1, ?, ?, ?)",
            arguments: [Data(header.storeID), Data(header.deviceKeyID), header.code.data]
        )
        for key in header.keys.entries { try key.value.write(database) }
        if keys.guardKey != nil { try StoreFormat.write(database, hasGuardKey: true) }
        return keys
    }
}

extension WrappedKey {
    /// Stores the key, and replaces the one of the same name.
    func write(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO keys (name, wrapper, parameters, sealed, checksum, code) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET wrapper = excluded.wrapper, parameters = excluded.parameters,
                    sealed = excluded.sealed, checksum = excluded.checksum, code = excluded.code
                """,
            arguments: [name.rawValue, wrapper, Data(parameters), Data(sealed), Data(check), code.data]
        )
    }
}

extension Blind {
    fileprivate init?(exactly bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(prefixOf: bytes)
    }

    fileprivate var data: Data {
        withUnsafeBytes { Data($0) }
    }
}
