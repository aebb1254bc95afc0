// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension FoundItem {
    /// The item as a usable object, for `kSecReturnRef`.
    ///
    /// - Throws: `errSecDecode` if the item's data is not a key or certificate, `errSecUnimplemented` if the type of
    ///   key is not supported.
    func liveObject() throws(KeychainError) -> AnyObject? {
        switch (record.itemClass, privateKey) {
        case (.key, _): try record.key()
        case (.certificate, nil): try record.certificate()
        case (.certificate, .some(let key)): SecIdentity(try record.certificate(), try key.key())
        default: nil
        }
    }
}

extension ItemRecord {
    fileprivate func certificate() throws(KeychainError) -> SecCertificate {
        do {
            return try SecCertificate(secret.data())
        } catch {
            throw KeychainError(errSecDecode, "the item's data is not a certificate", underlying: error)
        }
    }

    fileprivate func key() throws(KeychainError) -> SecKey {
        let name = attributes[.label]?.string.flatMap { $0.isEmpty ? nil : $0 }
        return SecKey(
            try keyMaterial(), permitting: KeyPermissions(attributes, isPrivate: side == .privateKey), named: name)
    }

    /// The private half of a guarded key without its secret; nil if its public half is not known. The record must have
    /// its attributes.
    func closedKey() throws(KeychainError) -> SecKey? {
        guard let type = KeyType(attributes[.keyType]?.integer), side == .privateKey,
            let publicKey = try demandedConstraints()?.publicKey
        else { return nil }
        let publicHalf = try Self.asItem { () throws(KeychainError) in
            try SecItemObjects.keyMaterial(type, .publicKey, from: Secret(publicKey))
        }
        return SecKey(
            closedKeyMaterial(publicHalf), permitting: KeyPermissions(attributes, isPrivate: true))
    }

    /// The key in the data.
    ///
    /// - Throws: As ``FoundItem/liveObject(_:)``.
    func keyMaterial() throws(KeychainError) -> any KeyMaterial {
        guard let type = KeyType(attributes[.keyType]?.integer), let side = side else {
            throw .unimplemented("keys of this type or class are not supported")
        }
        if isOfChip { return try chipKeyMaterial(wrapped: secret.data(), by: machineChip()) }
        return try Self.asItem { () throws(KeychainError) in
            try SecItemObjects.keyMaterial(type, side, from: secret)
        }
    }

    private static func asItem(
        _ body: () throws(KeychainError) -> any KeyMaterial
    ) throws(KeychainError) -> any KeyMaterial {
        do {
            return try body()
        } catch {
            throw KeychainError(errSecDecode, "the item's data is not a key of its type", underlying: error)
        }
    }

    /// Whether it is a key in the machine's chip.
    var isOfChip: Bool {
        itemClass == .key && attributes[.tokenID]?.isChip == true
    }

    private var side: KeyRequest.Side? {
        switch attributes[.keyClass]?.integer {
        case 0: .publicKey
        case 1: .privateKey
        default: nil
        }
    }

    private var secret: Secret { secrets[.valueData] ?? Secret(Data()) }
}
