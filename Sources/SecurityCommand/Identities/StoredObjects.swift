// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// Certificates, keys and identities of a keychain, as objects.
struct StoredObjects {
    struct Found {
        let entry: FoundEntry
        let object: AnyObject
    }

    let itemClass: CFString

    /// All of one keychain, oldest first.
    ///
    /// An item that has no object is left out, as a damaged certificate or a key of an unknown kind. So is a guarded item,
    /// or an identity with a guarded key: nobody is asked, but standard error names it.
    ///
    /// - Parameter tellsOfGuarded: Whether standard error names the guarded items that are left out.
    func all(in keychain: Keychain, tellsOfGuarded: Bool = true) throws -> [Found] {
        let search = ItemSearch(itemClass)
        let entries = try search.all(in: keychain)
        let keys = itemClass == kSecClassIdentity ? try Self.guardedKeys(in: keychain) : []
        let isFree = { (entry: FoundEntry) in
            !entry.isGuarded && !keys.contains(entry[kSecAttrPublicKeyHash] as? Data ?? Data())
        }
        let objects = try search.objects(of: entries.filter(isFree), among: entries, in: keychain)
        return entries.compactMap { entry in
            if let object = entry.reference.flatMap({ objects[$0] }) { return Found(entry: entry, object: object) }
            if tellsOfGuarded, !isFree(entry) { entry.tellThatItIsLeftOut() }
            return nil
        }
    }

    /// The hashes of the guarded private keys, which the certificates of their identities have too.
    private static func guardedKeys(in keychain: Keychain) throws -> Set<Data> {
        let keys = try ItemSearch(kSecClassKey).all(in: keychain).filter(\.isGuarded)
        return Set(keys.compactMap { $0[kSecAttrApplicationLabel] as? Data })
    }

    /// The identities of one keychain with their certificates, also those with a guarded key.
    static func identityCertificates(in keychain: Keychain) throws -> [Found] {
        let certificates = try StoredObjects(itemClass: kSecClassCertificate).all(in: keychain, tellsOfGuarded: false)
        let objects = Dictionary(certificates.compactMap { found in found.entry.uuid.map { ($0, found.object) } }) {
            $1
        }
        return try ItemSearch(kSecClassIdentity).all(in: keychain).compactMap { entry in
            if let object = entry.uuid.flatMap({ objects[$0] }) { return Found(entry: entry, object: object) }
            if entry.isGuarded { entry.tellThatItIsLeftOut() }
            return nil
        }
    }

    /// All of several keychains.
    func all(in keychains: [Keychain]) throws -> [Found] {
        try keychains.flatMap { try all(in: $0) }
    }
}

extension FoundEntry {
    fileprivate func tellThatItIsLeftOut() { Console.error("security: \(description) is guarded, and left out") }

    /// What the reference of an identity has in common with that of its certificate.
    fileprivate var uuid: UUID? { reference.flatMap { PersistentReference($0) }?.uuid }
}

extension SecCertificate {
    var data: Data { Data(referencing: SecCertificateCopyData(self)) }

    /// What a person would call it.
    var summary: String { SecCertificateCopySubjectSummary(self).map { "\($0)" } ?? "<unknown>" }

    var commonName: String? {
        var name: CFString?
        return SecCertificateCopyCommonName(self, &name) == errSecSuccess ? name.map { "\($0)" } : nil
    }

    var emailAddresses: [String] {
        var addresses: CFArray?
        SecCertificateCopyEmailAddresses(self, &addresses)
        return addresses as? [String] ?? []
    }

    /// Whether its common name has that text in it, in capitals or not.
    func isNamed(_ text: String) -> Bool {
        commonName?.range(of: text, options: .caseInsensitive) != nil
    }
}

extension SecIdentity {
    var certificate: SecCertificate? {
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(self, &certificate)
        return certificate
    }
}
