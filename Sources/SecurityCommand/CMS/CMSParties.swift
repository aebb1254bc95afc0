// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// The certificates and identities of keychains, for messages: who signs them, and who is to read them.
struct CMSParties {
    /// The keychain that `-k` names, or none for the search list.
    private let keychains: [String]

    init(_ keychain: String?) {
        keychains = keychain.map { [$0] } ?? []
    }

    /// All certificates. A keychain of the list that cannot be looked through is said, and left out.
    func certificates() throws -> [SecCertificate] {
        try all(kSecClassCertificate).compactMap { $0 as? SecCertificate }
    }

    /// All identities, as ``certificates()``.
    func identities() throws -> [SecIdentity] {
        try all(kSecClassIdentity).compactMap { $0 as? SecIdentity }
    }

    private func all(_ itemClass: CFString) throws -> [AnyObject] {
        var search = try KeychainSearch(keychains)
        let found = try search.all { try StoredObjects(itemClass: itemClass).all(in: $0) }.map(\.object)
        // One that was named is needed.
        if !keychains.isEmpty, let failure = search.failure { throw failure }
        return found
    }

    // MARK: Who signs

    /// The identity of that email address or common name, or whose certificate has that identifier of its key.
    ///
    /// Of several, one whose certificate is for signing and valid now, then one for signing, and then the first.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    func signer(named name: String?, keyIdentifier: String?) throws -> SecIdentity {
        let candidates: [SecIdentity]
        let meant: String
        if let keyIdentifier {
            guard let bytes = keyIdentifier.utf8.decodedHexadecimal else {
                throw CommandFailure.usage("-Z takes hexadecimal digits")
            }
            meant = "subject key ID: \"\(keyIdentifier)\""
            candidates = try all(kSecClassIdentity, keyIdentifier: Data(bytes))
        } else if let name {
            meant = "name: \"\(name)\""
            candidates = Self.matching(name, try identities()) { $0.certificate }
        } else {
            throw CommandFailure("no signing identity was specified")
        }
        // People have a certificate for signing and another for encryption.
        let signing = candidates.filter { $0.certificate?.maySign ?? false }
        let inTime = try signing.first { try $0.certificate.map(Self.isInTime) ?? false }
        guard let identity = inTime ?? signing.first ?? candidates.first else {
            throw CommandFailure("could not find signing identity for \(meant)")
        }
        return identity
    }

    private func all(_ itemClass: CFString, keyIdentifier: Data) throws -> [SecIdentity] {
        var search = try KeychainSearch(keychains)
        return try search.all { keychain in
            try StoredObjects(itemClass: itemClass).all(in: keychain).filter { found in
                found.entry[kSecAttrSubjectKeyID] as? Data == keyIdentifier
            }
        }.compactMap { $0.object as? SecIdentity }
    }

    /// Whether today is among the days of a certificate.
    private static func isInTime(_ certificate: SecCertificate) throws -> Bool {
        let status = try TrustVerdict.of(certificate, TrustPolicy.named("basic").policy())
        return status != errSecCertificateExpired && status != errSecCertificateNotValidYet
    }

    // MARK: Who reads

    /// The certificates of those email addresses or common names.
    ///
    /// - Throws: ``CommandFailure`` for one that nobody has.
    func recipients(_ names: [String]) throws -> [SecCertificate] {
        let all = try certificates()
        return try names.map { name in
            let candidates = Self.matching(name, all) { $0 }
            guard let certificate = try candidates.first(where: Self.isInTime) ?? candidates.first else {
                throw CommandFailure("failed to find certificate with email: \"\(name)\"")
            }
            return certificate
        }
    }

    /// Those that the name means best: by email address, else by common name, else by a part of that.
    private static func matching<Candidate>(
        _ name: String, _ candidates: [Candidate], _ certificate: (Candidate) -> SecCertificate?
    ) -> [Candidate] {
        let rules: [(SecCertificate) -> Bool] = [
            { $0.emailAddresses.contains { $0.lowercased() == name.lowercased() } },
            { $0.commonName == name },
            { $0.isNamed(name) },
        ]
        for rule in rules {
            let matching = candidates.filter { certificate($0).map(rule) ?? false }
            if !matching.isEmpty { return matching }
        }
        return []
    }
}

extension SecIdentity {
    /// The private key in DER, for OpenSSL.
    ///
    /// - Returns: Nil when it cannot be exported.
    func exportedKey() -> [UInt8]? {
        var key: SecKey?
        guard SecIdentityCopyPrivateKey(self, &key) == errSecSuccess, let key else { return nil }
        var data: CFData?
        guard SecItemExport(key, .formatOpenSSL, [], nil, &data) == errSecSuccess, let data else { return nil }
        return Array(data as Data)
    }
}
