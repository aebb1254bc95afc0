// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// The header in the tables `store` and `keys`.
extension StoreHeader {
    static func read(_ database: Database) throws -> StoreHeader {
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

    /// The header as it is in the transaction that is to replace its keys.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the root key was wrapped again since this header was read: the new
    ///   keys would undo the new passphrase.
    func readAgain(_ database: Database) throws -> StoreHeader {
        let found = try Self.read(database)
        guard found.keys[.root]?.sealed == keys[.root]?.sealed else {
            throw StoreError(.unavailable, "another process changed the passphrase meanwhile")
        }
        return found
    }

    /// Fills the tables of a new store with new keys. The parameters are those of
    /// ``make(deviceKey:name:protector:passphrase:withGuardKey:storeID:)``.
    static func write(
        _ database: Database, deviceKey: DeviceKey, protector: some RootKeyProtector, passphrase: Secret?
    ) throws -> NewKeys {
        let (header, keys) = try make(
            deviceKey: deviceKey, protector: protector, passphrase: passphrase, withGuardKey: true)
        let query = try PreparedQuery(
            database, "INSERT INTO store (id, uuid, device_key, code) VALUES (1, ?1, ?2, ?3)")
        try query.bind(copying: header.storeID, at: 1)
        try query.bind(copying: header.deviceKeyID, at: 2)
        try query.bind(header.code, at: 3)
        try query.run()
        for key in header.keys.entries { try key.value.write(database) }
        return keys
    }
}

extension WrappedKey {
    /// Stores the key, and replaces the one of the same name.
    func write(_ database: Database) throws(StoreError) {
        let query = try PreparedQuery(
            database,
            """
            INSERT INTO keys (name, wrapper, parameters, sealed, checksum, code) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (name) DO UPDATE SET wrapper = excluded.wrapper, parameters = excluded.parameters,
                sealed = excluded.sealed, checksum = excluded.checksum, code = excluded.code
            """)
        try query.bind(name.rawValue, at: 1)
        try query.bind(wrapper, at: 2)
        for (index, bytes) in [parameters, sealed, check].enumerated() {
            try query.bind(copying: bytes, at: Int32(index + 3))
        }
        try query.bind(code, at: 6)
        try query.run()
    }
}

extension Blind {
    fileprivate init?(exactly bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(prefixOf: bytes)
    }
}
