// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GRDB
import SecItemStore

/// The identity of the store, and its wrapped keys.
struct StoreHeader: Sendable {
    /// The store's own random number.
    let storeID: [UInt8]
    /// The device key that belongs to it.
    let deviceKeyID: [UInt8]
    private let code: Blind
    let keys: KeyTable<WrappedKey>

    // MARK: Reading

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

    private static let damaged = StoreError(.corrupt, "the store's header is damaged")

    /// The way the root key is protected.
    var rootMethod: RootKeyMethod {
        RootKeyMethod(name: keys[.root]?.wrapper ?? "")
    }

    /// Whether the file's format matches these keys.
    func fits(_ format: Int64) -> Bool {
        (format == Format2.number) == (keys[.guardKey] != nil) && (keys[.guardKey] == nil || rootMethod.takesPassphrase)
    }

    /// The keys that the device key gives.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if it is the wrong device key, or if the header or a wrapped key is
    ///   damaged.
    func check(_ deviceKey: DeviceKey) throws(StoreError) -> DeviceKeys {
        guard deviceKey.id == deviceKeyID else {
            throw StoreError(.corrupt, "the key file is that of another store")
        }
        let device = try deviceKey.keys(ofStore: storeID)
        let expected = try Self.code(storeID: storeID, deviceKeyID: deviceKeyID, device: device)
        guard expected.isEqualInConstantTime(to: code),
            keys.isComplete({ $0.isAuthentic(storeID: storeID, device: device) })
        else { throw Self.damaged }
        return device
    }

    private static func code(
        storeID: [UInt8], deviceKeyID: [UInt8], device: DeviceKeys
    ) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 header")
        transcript.append(number: Format1.number)
        transcript.append(storeID)
        transcript.append(deviceKeyID)
        return try Blind(authenticating: transcript, with: device.authenticating)
    }

    // MARK: Unwrapping

    /// The keys of items that are always accessible.
    func alwaysKeys(_ device: DeviceKeys) throws(StoreError) -> KeyTable<Secret> {
        try unwrapped(with: device.wrapping) { $0.availability == .always }
    }

    /// All other keys except the root key.
    func otherKeys(_ root: Secret) throws(StoreError) -> KeyTable<Secret> {
        let wrapping = try root.derived("secitem/1 root wrap", afterFork: .wiped)
        return try unwrapped(with: wrapping) { KeyName.belowRoot.contains($0) }
    }

    private func unwrapped(
        with wrapping: Secret, _ isWanted: (KeyName) -> Bool
    ) throws(StoreError) -> KeyTable<Secret> {
        var result = KeyTable<Secret>()
        for name in KeyName.allCases where isWanted(name) {
            guard let key = keys[name]?.unwrapped(with: wrapping, storeID: storeID) else { throw Self.damaged }
            result[name] = key
        }
        return result
    }

    /// The root key, opened by the store's method.
    ///
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong.
    func rootKey(
        _ protector: some RootKeyProtector, device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        try unlocked(protector, device: device, passphrase: passphrase).root
    }

    /// The root key, and the key that wraps the guard key if there can be one.
    ///
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong.
    func unlocked(
        _ protector: some RootKeyProtector, device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> (root: Secret, guardWrapping: Secret?) {
        guard let wrapped = keys[.root] else { throw Self.damaged }
        let wrapping = try protector.wrappingKeys(
            parameters: wrapped.parameters, device: device, passphrase: passphrase)
        guard let root = wrapped.unwrapped(with: wrapping.root, storeID: storeID) else {
            // The row's code was right, so the row itself is not wrong.
            throw protector.needsPassphrase
                ? StoreError(.authenticationFailed, "the passphrase is wrong") : Self.damaged
        }
        return (root, wrapping.guardKey)
    }

    /// A value that identifies a passphrase file together with the present wrapping of the root key. Another file or
    /// another passphrase gives another value. It reveals nothing about the passphrase.
    func witness(of identity: [UInt8]) -> Secret {
        var transcript = Transcript("secitem/1 passphrase file of")
        transcript.append(keys[.root]?.sealed ?? [])
        transcript.append(identity)
        return Secret(Data(SHA256.hash(data: transcript.bytes)))
    }

    /// Whether these are the store's keys.
    func areOwn(_ candidates: KeyTable<Secret>) -> Bool {
        candidates.allSatisfy { name, key in
            guard let wrapped = keys[name], let check = try? key.checkValue() else { return false }
            return wrapped.check == check
        }
    }

    // MARK: Writing

    /// The content of a new store.
    struct NewKeys {
        /// The store's own number.
        let storeID: [UInt8]
        /// The keys that seal items.
        let keys: KeyTable<Secret>
        /// The key of guarded secrets, if requested.
        let guardKey: Secret?
    }

    /// Fills the tables of a new store with new keys.
    ///
    /// - Parameter withGuardKey: Whether to create a guard key too. Otherwise the first guarded item creates one.
    @discardableResult
    static func write(
        _ database: Database, deviceKey: DeviceKey, protector: some RootKeyProtector, passphrase: Secret?,
        withGuardKey: Bool = false
    ) throws -> NewKeys {
        let storeID = RandomBytes.bytes(16)
        let device = try deviceKey.keys(ofStore: storeID)
        let code = try code(storeID: storeID, deviceKeyID: deviceKey.id, device: device)
        try database.execute(
            sql: "INSERT INTO store (id, uuid, device_key, code) VALUES (1, ?, ?, ?)",
            arguments: [Data(storeID), Data(deviceKey.id), code.data]
        )
        let root = try Secret.randomKey()
        let wrappedRoot = try wrappedRoot(
            root, storeID: storeID, device: device, protector: protector, passphrase: passphrase)
        try wrappedRoot.row.write(database)
        let rootWrapping = try root.derived("secitem/1 root wrap", afterFork: .wiped)
        var keys = KeyTable<Secret>()
        for name in KeyName.required where name != .root {
            let isAlways = name.availability == .always
            let key = try Secret.randomKey()
            keys[name] = key
            try WrappedKey(
                wrapping: key, name: name, wrapper: isAlways ? WrappedKey.byDevice : WrappedKey.byRoot,
                storeID: storeID, with: isAlways ? device.wrapping : rootWrapping, device: device
            ).write(database)
        }
        guard withGuardKey, let key = wrappedRoot.guardWrapping else {
            return NewKeys(storeID: storeID, keys: keys, guardKey: nil)
        }
        let made = try GuardKeyRow.make(
            vouchedFor: keys,
            GuardKeyRow.Wrapping(method: protector.method, key: key, storeID: storeID, device: device))
        try made.row.wrapped.write(database)
        try StoreFormat.write(database, hasGuardKey: true)
        return NewKeys(storeID: storeID, keys: keys, guardKey: made.key)
    }

    /// The root key in a new wrapping, and the key that wraps the guard key if there can be one.
    static func wrappedRoot(
        _ root: Secret, storeID: [UInt8], device: DeviceKeys, protector: some RootKeyProtector,
        passphrase: Secret?
    ) throws(StoreError) -> (row: WrappedKey, guardWrapping: Secret?) {
        let parameters = try protector.newParameters()
        let wrapping = try protector.wrappingKeys(parameters: parameters, device: device, passphrase: passphrase)
        let row = try WrappedKey(
            wrapping: root, name: .root, wrapper: protector.method.name, parameters: parameters, storeID: storeID,
            with: wrapping.root, device: device
        )
        return (row, wrapping.guardKey)
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
