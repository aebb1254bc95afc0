// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Certificates, keys and identities of a keychain, as objects.
struct KeychainObjects {
    /// One that was found.
    struct Found {
        let entry: FoundEntry
        let object: AnyObject
    }

    let itemClass: CFString

    /// All of one keychain, oldest first.
    ///
    /// An item that has no object is left out, as a damaged certificate or a key of an unknown kind. So is a guarded
    /// certificate, because its object needs its data: nobody is asked, but standard error names it.
    ///
    /// - Parameter tellsOfGuarded: Whether standard error names the guarded items that are left out.
    func all(in keychain: Keychain, tellsOfGuarded: Bool = true) throws -> [Found] {
        let search = ItemSearch(itemClass)
        let entries = try search.all(in: keychain)
        let objects = try search.objects(of: entries, in: keychain)
        return entries.compactMap { entry in
            if let object = entry.reference.flatMap({ objects[$0] }) { return Found(entry: entry, object: object) }
            if tellsOfGuarded, entry.isGuarded {
                Console.error("security: \(entry.description) is guarded, and left out")
            }
            return nil
        }
    }

    /// All of several keychains.
    func all(in keychains: [Keychain]) throws -> [Found] {
        try keychains.flatMap { try all(in: $0) }
    }
}

extension SecCertificate {
    /// The certificate's bytes.
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
