// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The row of the key table with the guard key. The private half is wrapped under the passphrase. The parameters have the
/// public half, and a code of it made with every key below the root key.
///
/// An item is sealed to the public half only if the code made with the key of the item's protection class is right. So
/// only somebody who can read the other secrets of that class can replace the public half.
package struct GuardKeyRow: Sendable {
    /// The row of the key table.
    package let wrapped: WrappedKey

    /// The row in a header; nil if there is none.
    package init?(_ header: StoreHeader) {
        guard let wrapped = header.keys[.guardKey] else { return nil }
        self.wrapped = wrapped
    }

    // MARK: Making

    /// The inputs for wrapping a guard key.
    package struct Wrapping {
        /// The method that protects the root key.
        package let method: RootKeyMethod
        /// The key derived from the passphrase.
        package let key: Secret
        package let storeID: [UInt8]
        package let device: DeviceKeys

        package init(method: RootKeyMethod, key: Secret, storeID: [UInt8], device: DeviceKeys) {
            self.method = method
            self.key = key
            self.storeID = storeID
            self.device = device
        }
    }

    /// A new key, and its row.
    ///
    /// - Parameters:
    ///   - keys: All keys that the root key opens.
    ///   - wrapping: How to wrap the new key.
    /// - Throws: ``StoreError/Code/corrupt`` if one of `keys` is missing.
    package static func make(
        vouchedFor keys: KeyTable<Secret>, _ wrapping: Wrapping
    ) throws(StoreError) -> (row: GuardKeyRow, key: Secret) {
        let key = try Secret.randomKey()
        let publicKey = try publicKey(of: key)
        var parameters = publicKey
        for name in KeyName.belowRoot {
            guard let voucher = keys[name] else { throw StoreError(.corrupt, "keys are missing") }
            let code = try code(publicKey, name, voucher, wrapping.storeID)
            code.withUnsafeBytes { parameters.append(contentsOf: $0) }
        }
        return (try GuardKeyRow(wrapping: key, parameters, wrapping), key)
    }

    private init(wrapping key: Secret, _ parameters: [UInt8], _ wrapping: Wrapping) throws(StoreError) {
        wrapped = try WrappedKey(
            wrapping: key, name: .guardKey, wrapper: wrapping.method.name, parameters: parameters,
            storeID: wrapping.storeID, with: wrapping.key, device: wrapping.device)
    }

    private static func publicKey(of key: Secret) throws(StoreError) -> [UInt8] {
        do {
            return try key.withUnsafeBytes { key in
                try Array(Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key).publicKey.rawRepresentation)
            }
        } catch {
            throw StoreError(.io, "making a guard key failed", underlying: error)
        }
    }

    /// The row with the same key, wrapped under another passphrase.
    package func wrapped(anew key: Secret, _ wrapping: Wrapping) throws(StoreError) -> GuardKeyRow {
        try GuardKeyRow(wrapping: key, wrapped.parameters, wrapping)
    }

    // MARK: Using

    /// The private half.
    ///
    /// - Parameter wrapping: The key derived from the passphrase that opened the root key.
    /// - Throws: ``StoreError/Code/corrupt`` if it does not open the guard key.
    package func key(_ wrapping: Secret?, storeID: [UInt8]) throws(StoreError) -> Secret {
        guard let wrapping, let key = wrapped.unwrapped(with: wrapping, storeID: storeID) else {
            throw StoreError(.corrupt, "the guard key is damaged, or was put there by someone without the passphrase")
        }
        return key
    }

    /// The seal for secrets of that protection class.
    ///
    /// - Throws: ``StoreError/Code/locked`` if the key of that class is not available; ``StoreError/Code/corrupt`` if the
    ///   code made with it is wrong.
    package func seal(for accessible: Accessible, _ keys: KeySet, storeID: [UInt8]) throws(StoreError) -> GuardSeal {
        // The keys of items that are always accessible are not below the root key.
        let ofClass = KeyName(sealingSecretsOf: accessible)
        let name = ofClass.flatMap { KeyName.belowRoot.contains($0) ? $0 : nil } ?? .metadata
        guard let voucher = keys.key(name) else { throw .locked }
        let parameters = wrapped.parameters
        let publicKey = Array(parameters.prefix(GuardSeal.publicKeyByteCount))
        guard parameters.count == GuardSeal.publicKeyByteCount + KeyName.belowRoot.count * Blind.byteCount,
            let index = KeyName.belowRoot.firstIndex(of: name),
            let found = parameters.withUnsafeBytes({ bytes in
                let start = GuardSeal.publicKeyByteCount + index * Blind.byteCount
                return Blind(prefixOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }),
            try Self.code(publicKey, name, voucher, storeID).isEqualInConstantTime(to: found)
        else { throw StoreError(.corrupt, "the guard key is damaged, or was put there by someone without the keys") }
        return GuardSeal(publicKey: publicKey)
    }

    private static func code(
        _ publicKey: [UInt8], _ name: KeyName, _ voucher: Secret, _ storeID: [UInt8]
    ) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 guard public key")
        transcript.append(storeID)
        transcript.append(name.rawValue)
        transcript.append(publicKey)
        return try Blind(
            authenticating: transcript, with: voucher.derived("secitem/1 vouch for guard key"))
    }
}
