// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The identity of a client, stored in the keychain under a label.
struct ClientIdentity {
    let label: String

    /// Stores the key and the certificates of a PKCS #12 file.
    ///
    /// - Returns: The number of identities in the file.
    func add(file: Data, passphrase: String) throws -> Int {
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: passphrase,
            // Makes the call store what it reads in the keychain, with the attributes that follow.
            kSecUseDataProtectionKeychain: true,
            kSecAttrLabel: label,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        var items: CFArray?
        try check(SecPKCS12Import(file as CFData, options as CFDictionary, &items))
        return items?.count ?? 0
    }

    /// The private key, and the certificates to show, with the client's own first.
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

    /// Deletes the key and the certificates.
    func remove() throws {
        for itemClass in [kSecClassKey, kSecClassCertificate] {
            try check(SecItemDelete([kSecClass: itemClass, kSecAttrLabel: label] as CFDictionary))
        }
    }

    /// The client's certificate, and its issuers as far as the keychain has them.
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

/// A failed keychain call.
struct KeychainError: LocalizedError {
    let status: OSStatus

    var errorDescription: String? { SecCopyErrorMessageString(status, nil).map { $0 as String } }
}
