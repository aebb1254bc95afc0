// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security
import Testing

/// An application without any access group cannot store items, whichever function makes them.
@Suite struct NoGroupTests {
    private let store = InMemoryStore()

    private var keychain: KeychainCalls {
        KeychainCalls(store: store, application: ClientApplication(identifier: "org.example.none", entitledGroups: []))
    }

    @Test func permanentKey_isNotKept() throws {
        for group in [nil, "org.example.none"] {
            var kept: [CFString: Any] = [kSecAttrIsPermanent: true]
            kept[kSecAttrAccessGroup] = group
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: kept,
            ]
            let error = #expect(throws: KeychainError.self) { try keychain.makeKeys(parameters as CFDictionary) }
            #expect(error?.status == errSecMissingEntitlement)
        }
        try #expect(isEmpty(.key))
    }

    @Test func importedIdentity_isNotKept() throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let point = try #require(SecKeyCopyPublicKey(key)?.bytes)
        let certificate = MadeCertificate(subject: [.commonName("anna")], publicKey: point).data
        let bags = [MadePKCS12.bag(1, [UInt8](try exported(key, .formatBSAFE))), MadePKCS12.certificate(certificate)]
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true,
        ]
        var items: CFArray?
        let file = MadePKCS12(bags, passphrase: "secret").data
        #expect(keychain.importPKCS12(file as CFData, options as CFDictionary, &items) == errSecMissingEntitlement)
        #expect(items == nil)
        try #expect(isEmpty(.key) && isEmpty(.certificate))
    }

    private func isEmpty(_ itemClass: ItemClass) throws -> Bool {
        try store.records(
            matching: RecordFilter(itemClass: itemClass), parts: [], limit: nil, interaction: .forbidden
        ).isEmpty
    }
}
