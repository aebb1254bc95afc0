// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension FoundItem {
    /// The item as an object that can be used: what `kSecReturnRef` gives.
    ///
    /// - Throws: `errSecDecode` if the item's data is no key or certificate, `errSecUnimplemented` for a key of a type
    ///   that is not there.
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
            throw KeychainError(errSecDecode, "the item's data is no certificate", underlying: error)
        }
    }

    fileprivate func key() throws(KeychainError) -> SecKey {
        guard let type = KeyType(attributes[.keyType]?.integer), let side = side else {
            throw .unimplemented("keys of this type or class are not supported")
        }
        if isOfChip {
            return SecKey(
                try ChipKeyMaterial(wrapped: secret.data()),
                permitting: KeyPermissions(attributes, isPrivate: side == .privateKey))
        }
        do {
            return SecKey(
                try keyMaterial(type, side, from: secret),
                permitting: KeyPermissions(attributes, isPrivate: side == .privateKey))
        } catch {
            throw KeychainError(errSecDecode, "the item's data is no key of its type", underlying: error)
        }
    }

    /// Whether it is a key that the machine's chip has.
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

extension KeyType {
    /// The numbers of Apple's constants.
    init?(_ number: Int64?) {
        switch number {
        case 42: self = .rsa
        case 73: self = .ellipticCurve
        default: return nil
        }
    }
}
