// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The identity of a client, which the keychain keeps under a label.
struct ClientIdentity {
    let label: String

    /// Reads a PKCS #12 file and keeps its key and certificates.
    ///
    /// - Returns: The number of identities in the file.
    func add(file: Data, passphrase: String) throws -> Int {
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: passphrase,
            // What makes the call put into the keychain what it reads, with the attributes that follow.
            kSecUseDataProtectionKeychain: true,
            kSecAttrLabel: label,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        var items: CFArray?
        try check(SecPKCS12Import(file as CFData, options as CFDictionary, &items))
        return items?.count ?? 0
    }

    /// The private key and the certificates to show, the client's own first.
    func keyAndChain() throws -> (key: SecKey, chain: [SecCertificate]) {
        let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecAttrLabel: label, kSecReturnRef: true]
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard let identity = result as? SecIdentity else { throw KeychainError(status: errSecItemNotFound) }
        var key: SecKey?
        var certificate: SecCertificate?
        try check(SecIdentityCopyPrivateKey(identity, &key))
        try check(SecIdentityCopyCertificate(identity, &certificate))
        guard let key, let certificate else { throw KeychainError(status: errSecItemNotFound) }
        return (key, chain(of: certificate))
    }

    /// Forgets the key and the certificates.
    func remove() throws {
        for itemClass in [kSecClassKey, kSecClassCertificate] {
            try check(SecItemDelete([kSecClass: itemClass, kSecAttrLabel: label] as CFDictionary))
        }
    }

    /// Goes up from the client's certificate, as far as the keychain has the issuers.
    private func chain(of leaf: SecCertificate) -> [SecCertificate] {
        var chain = [leaf]
        while let last = chain.last, let issuer = issuer(of: last), !chain.contains(issuer) { chain.append(issuer) }
        return chain
    }

    private func issuer(of certificate: SecCertificate) -> SecCertificate? {
        guard let name = SecCertificateCopyNormalizedIssuerSequence(certificate) as Data? else { return nil }
        let query: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecAttrLabel: label, kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnRef: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return (result as? [SecCertificate])?.first {
            SecCertificateCopyNormalizedSubjectSequence($0) as Data? == name
        }
    }

    private func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw KeychainError(status: status) }
    }
}

/// Why the keychain did not do what was asked.
struct KeychainError: LocalizedError {
    let status: OSStatus

    var errorDescription: String? { SecCopyErrorMessageString(status, nil).map { $0 as String } }
}
