// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The row of the key table that has the guard key: the private half wrapped under the passphrase, and in its parameters the
/// public half, for which every key below the root key vouches.
///
/// An item is sealed to the public half only if the key of its own protection class vouches for it. So nobody plants one of his
/// own who could not read the other secrets of that class anyway.
package struct GuardKeyRow: Sendable {
    /// The row of the key table.
    package let wrapped: WrappedKey

    /// The row as the file has it; nil where there is none.
    package init?(_ header: StoreHeader) {
        guard let wrapped = header.keys[.guardKey] else { return nil }
        self.wrapped = wrapped
    }

    private init(_ wrapped: WrappedKey) {
        self.wrapped = wrapped
    }

    // MARK: Making

    /// What is needed to wrap a guard key.
    package struct Wrapping {
        /// The method that protects the root key.
        package let method: RootKeyMethod
        /// What the passphrase gives.
        package let key: Secret
        /// The store's own number.
        package let storeID: [UInt8]
        /// The keys of the device key.
        package let device: DeviceKeys

        /// - Parameters:
        ///   - method: The method that protects the root key.
        ///   - key: What the passphrase gives.
        ///   - storeID: The store's own number.
        ///   - device: The keys of the device key.
        package init(method: RootKeyMethod, key: Secret, storeID: [UInt8], device: DeviceKeys) {
            self.method = method
            self.key = key
            self.storeID = storeID
            self.device = device
        }
    }

    /// A new key, and the row that has it.
    ///
    /// - Parameter keys: All that the root key opens.
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
        self.init(
            try WrappedKey(
                wrapping: key, name: .guardKey, wrapper: wrapping.method.name, parameters: parameters,
                storeID: wrapping.storeID, with: wrapping.key, device: wrapping.device))
    }

    private static func publicKey(of key: Secret) throws(StoreError) -> [UInt8] {
        defer { wipeStack() }
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
    /// - Parameter wrapping: What the passphrase gives that has opened the root key.
    /// - Throws: ``StoreError/Code/corrupt`` when that does not open it.
    package func key(_ wrapping: Secret?, storeID: [UInt8]) throws(StoreError) -> Secret {
        guard let wrapping, let key = wrapped.unwrapped(with: wrapping, storeID: storeID) else {
            throw StoreError(.corrupt, "the guard key is damaged, or was put there by someone without the passphrase")
        }
        return key
    }

    /// What seals secrets of that protection class.
    ///
    /// - Throws: ``StoreError/Code/locked`` when the key is not at hand that vouches for it, ``StoreError/Code/corrupt`` when
    ///   that does not vouch for it.
    package func seal(for accessible: Accessible, _ keys: KeySet, storeID: [UInt8]) throws(StoreError) -> GuardSeal {
        // The keys of what is always accessible are not below the root key.
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
            authenticating: transcript, with: voucher.derived("secitem/1 vouch for guard key", afterFork: .wiped))
    }
}

/// A guard key that is ready to be stored with the first guarded item: so that adding needs no passphrase. What it has is
/// wrapped.
package struct NewGuardKey: Sendable {
    /// The row to store.
    package let row: GuardKeyRow
    /// The root key as it was wrapped at that moment: with another passphrase the row is of no use.
    package let sealedRoot: [UInt8]

    /// - Parameters:
    ///   - row: The row to store.
    ///   - sealedRoot: The root key, as it is wrapped now.
    package init(row: GuardKeyRow, sealedRoot: [UInt8]) {
        self.row = row
        self.sealedRoot = sealedRoot
    }
}
