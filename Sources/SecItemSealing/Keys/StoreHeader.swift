// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The identity of the store, and its wrapped keys.
package struct StoreHeader: Sendable {
    /// The store's own random number.
    package let storeID: [UInt8]
    /// The device key that belongs to it.
    package let deviceKeyID: [UInt8]
    /// The code of the header, made with the device key.
    package let code: Blind
    /// The wrapped keys, by name.
    package let keys: KeyTable<WrappedKey>

    /// A header from a store's database.
    package init(storeID: [UInt8], deviceKeyID: [UInt8], code: Blind, keys: KeyTable<WrappedKey>) {
        self.storeID = storeID
        self.deviceKeyID = deviceKeyID
        self.code = code
        self.keys = keys
    }

    /// The version of the sealing, which the header's code covers.
    private static let version: Int64 = 1

    /// The error for a header that nobody with the key has written like this.
    package static let damaged = StoreError(.corrupt, "the store's header is damaged")

    /// The way the root key is protected.
    package var rootMethod: RootKeyMethod {
        RootKeyMethod(name: keys[.root]?.wrapper ?? "")
    }

    /// The keys that the device key gives.
    ///
    /// - Parameter name: What ``make(deviceKey:name:protector:passphrase:withGuardKey:storeID:)`` was given.
    /// - Throws: ``StoreError/Code/corrupt`` if it is the wrong device key, or if the header or a wrapped key is
    ///   damaged.
    package func check(_ deviceKey: DeviceKey, name: Blind? = nil) throws(StoreError) -> DeviceKeys {
        guard deviceKey.id == deviceKeyID else {
            throw StoreError(.corrupt, "the key file is that of another store")
        }
        let device = deviceKey.keys(ofStore: storeID)
        let expected = try Self.code(storeID: storeID, deviceKeyID: deviceKeyID, name: name, device: device)
        guard expected.isEqualInConstantTime(to: code),
            keys.isComplete({ $0.isAuthentic(storeID: storeID, device: device) })
        else { throw Self.damaged }
        return device
    }

    private static func code(
        storeID: [UInt8], deviceKeyID: [UInt8], name: Blind?, device: DeviceKeys
    ) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 header")
        transcript.append(number: version)
        transcript.append(storeID)
        transcript.append(deviceKeyID)
        if let name { transcript.append(name) }
        return try Blind(authenticating: transcript, with: device.authenticating)
    }

    // MARK: Unwrapping

    /// The keys of items that are always accessible.
    package func alwaysKeys(_ device: DeviceKeys) throws(StoreError) -> KeyTable<Secret> {
        try unwrapped(with: device.wrapping) { $0.availability == .always }
    }

    /// All other keys except the root key.
    package func otherKeys(_ root: Secret) throws(StoreError) -> KeyTable<Secret> {
        let wrapping = root.derived("secitem/1 root wrap")
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

    /// The root key, and the key that wraps the guard key if there can be one.
    ///
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong.
    package func unlocked(
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
    package func witness(of identity: [UInt8]) -> Secret {
        var transcript = Transcript("secitem/1 passphrase file of")
        transcript.append(keys[.root]?.sealed ?? [])
        transcript.append(identity)
        return Secret(Data(SHA256.hash(data: transcript.bytes)))
    }

    package func areOwn(_ candidates: KeyTable<Secret>) -> Bool {
        candidates.allSatisfy { name, key in
            keys[name]?.check == key.checkValue()
        }
    }

    // MARK: Writing

    /// The content of a new store.
    package struct NewKeys {
        package let storeID: [UInt8]
        /// The keys that seal items.
        package let keys: KeyTable<Secret>
        /// The key of guarded secrets, if there is one.
        package let guardKey: Secret?
    }

    /// A new store: its header, and its keys.
    ///
    /// - Parameters:
    ///   - deviceKey: The device key that the store will belong to.
    ///   - name: ``DeviceKey/blind(ofKeychain:)`` if the header is found by a name. Then nobody without the key can give
    ///     one store the name of another. Nil for a store that is a file.
    ///   - protector: The protection of the root key.
    ///   - passphrase: The passphrase, if the protector needs one.
    ///   - withGuardKey: Whether to create a guard key too, if a passphrase protects the root key.
    ///   - storeID: The number of a store that gets new keys, the device key among them; nil for a new random number.
    package static func make(
        deviceKey: DeviceKey, name: Blind? = nil, protector: any RootKeyProtector, passphrase: Secret?,
        withGuardKey: Bool = false, storeID: [UInt8]? = nil
    ) throws(StoreError) -> (header: StoreHeader, keys: NewKeys) {
        let storeID = storeID ?? RandomBytes.bytes(16)
        let device = deviceKey.keys(ofStore: storeID)
        let code = try code(storeID: storeID, deviceKeyID: deviceKey.id, name: name, device: device)
        let root = try Secret.randomKey()
        let wrappedRoot = try wrappedRoot(
            root, storeID: storeID, device: device, protector: protector, passphrase: passphrase)
        var table = KeyTable<WrappedKey>()
        table[.root] = wrappedRoot.row
        let rootWrapping = root.derived("secitem/1 root wrap")
        var keys = KeyTable<Secret>()
        for name in KeyName.required where name != .root {
            let isAlways = name.availability == .always
            let key = try Secret.randomKey()
            keys[name] = key
            table[name] = try WrappedKey(
                wrapping: key, name: name, wrapper: isAlways ? WrappedKey.byDevice : WrappedKey.byRoot,
                storeID: storeID, with: isAlways ? device.wrapping : rootWrapping, device: device)
        }
        var guardKey: Secret?
        if withGuardKey, let key = wrappedRoot.guardWrapping {
            let made = try GuardKeyRow.make(
                vouchedFor: keys,
                GuardKeyRow.Wrapping(method: protector.method, key: key, storeID: storeID, device: device))
            table[.guardKey] = made.row.wrapped
            guardKey = made.key
        }
        let header = StoreHeader(storeID: storeID, deviceKeyID: deviceKey.id, code: code, keys: table)
        return (header, NewKeys(storeID: storeID, keys: keys, guardKey: guardKey))
    }

    /// The root key in a new wrapping, and the key that wraps the guard key if there can be one.
    ///
    /// - Throws: ``StoreError/Code/unrepresentable`` if the passphrase is empty, or ends in a zero byte that would not count.
    package static func wrappedRoot(
        _ root: Secret, storeID: [UInt8], device: DeviceKeys, protector: some RootKeyProtector,
        passphrase: Secret?
    ) throws(StoreError) -> (row: WrappedKey, guardWrapping: Secret?) {
        try passphrase?.requireFitAsPassphrase()
        let parameters = try protector.newParameters()
        let wrapping = try protector.wrappingKeys(parameters: parameters, device: device, passphrase: passphrase)
        let row = try WrappedKey(
            wrapping: root, name: .root, wrapper: protector.method.name, parameters: parameters, storeID: storeID,
            with: wrapping.root, device: device
        )
        return (row, wrapping.guardKey)
    }
}
