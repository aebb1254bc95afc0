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

    /// All of one keychain. What cannot be made into an object, as a key of an unknown kind, is left out.
    func all(in keychain: Keychain) throws -> [Found] {
        var search = ItemSearch(itemClass)
        search.query[kSecReturnRef] = true
        return try search.all(in: keychain).compactMap { entry in
            (entry[kSecValueRef] as AnyObject?).map { Found(entry: entry, object: $0) }
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
