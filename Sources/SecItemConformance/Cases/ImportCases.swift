// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// The items that `SecPKCS12Import` adds to the keychain. Without OpenSSL, no test file can be made, and the cases
    /// check nothing.
    static let importCases: [ConformanceCase] = [
        /// 3.11: The key and the certificates of the chain are added once, with the other options as attributes.
        ConformanceCase("importedIdentity_forTheKeychain_isAddedOnce", rules: "3.11", "17.1") { keychain in
            guard let (identity, file) = try newFile() else { return }
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true, kSecAttrLabel: "label",
            ]
            for _ in 0..<2 {
                var items: CFArray?
                try expect(keychain.importPKCS12(file, options as CFDictionary, &items))
                try expectEqual(items?.count, 1)
            }
            let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecAttrLabel: "label", kSecReturnRef: true]
            try expect(keychain.find(query as CFDictionary) as? SecIdentity == identity, "another identity was added")
            // The client's certificate and its issuer's.
            try expectEqual(
                keychain.items(ofClass: kSecClassCertificate).map { $0["labl"] as? String }, ["label", "label"])
            try expectEqual(keychain.items(ofClass: kSecClassKey).map { $0["labl"] as? String }, ["label"])
        },
        /// 3.11: Nothing is added unless the options ask for it, or if the file cannot be opened.
        ConformanceCase("importedIdentity_forMemory_isNotAdded", rules: "3.11") { keychain in
            guard let (_, file) = try newFile() else { return }
            let passphrase: [CFString: Any] = [kSecImportExportPassphrase: "secret"]
            let inMemory: [CFString: Any] = [kSecUseDataProtectionKeychain: true, kSecImportToMemoryOnly: true]
            var items: CFArray?
            for options in [passphrase, passphrase.merging(inMemory) { $1 }] {
                try expect(keychain.importPKCS12(file, options as CFDictionary, &items))
            }
            let wrong = [kSecImportExportPassphrase: "other", kSecUseDataProtectionKeychain: true] as CFDictionary
            try expect(keychain.importPKCS12(file, wrong, &items), errSecAuthFailed)
            for itemClass in [kSecClassCertificate, kSecClassKey] {
                try expect(keychain.copyMatching([kSecClass: itemClass] as CFDictionary), errSecItemNotFound)
            }
        },
    ]

    /// A PKCS #12 file of a new identity and its issuer; nil without OpenSSL.
    private static func newFile() throws -> (identity: SecIdentity, file: CFData)? {
        let (key, issuerKey) = (try newPrivateKey(), try newPrivateKey())
        let certificate = try newCertificate("anna", issuer: "issuer", of: key)
        let issuer = try newCertificate("issuer", serialNumber: 2, of: issuerKey)
        let identity = try expectValue(SecIdentityCreate(nil, certificate, key), "an identity")
        var parameters = SecItemImportExportKeyParameters()
        let passphrase: CFString = "secret"
        parameters.passphrase = .passUnretained(passphrase)
        var file: CFData?
        let status = withExtendedLifetime(passphrase) {
            SecItemExport([identity, issuer] as NSArray, .formatPKCS12, [], &parameters, &file)
        }
        if status == errSecUnimplemented { return nil }
        try expect(status)
        return (identity, try expectValue(file, "a file"))
    }
}
