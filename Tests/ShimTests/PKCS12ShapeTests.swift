// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessKeychain
import Security
import TestSupport
import Testing

@testable import SecItemObjects

/// PKCS #12 files of every shape, made by the tests.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct PKCS12ShapeTests {
    private static let certificate = KeyVectors.p256Certificate

    /// A new key, and a certificate for it.
    private struct Pair {
        let key: SecKey
        let certificate: Data
        let info: [UInt8]

        init(_ name: String, issuer: String = "issuer") throws {
            key = try SecKey.new(kSecAttrKeyTypeEC, 256)
            let point = try #require(SecKeyCopyPublicKey(key)?.bytes)
            certificate =
                MadeCertificate(
                    subject: [.commonName(name)], issuer: [.commonName(issuer)], publicKey: point
                ).data
            info = [UInt8](try exported(key, .formatBSAFE))
        }

        var live: SecCertificate? { SecCertificateCreateWithData(nil, certificate as CFData) }
    }

    @Test func fileOfAnyForm_isRead() throws {
        let pair = try Pair("anna")
        let bags = [MadePKCS12.bag(1, pair.info, name: "key"), MadePKCS12.certificate(pair.certificate, name: "leaf")]
        for isIndefinite in [false, true] {
            for order in [bags, bags.reversed()] {
                for safes in [[order.flatMap { $0 }], order] {
                    var file = MadePKCS12([])
                    file.safes = safes.map { MadePKCS12.der(0x30, $0) }
                    file.isIndefinite = isIndefinite
                    let item = try ImportedItem.one(file.data)
                    #expect(item.key == pair.key)
                    #expect(item.certificate == pair.live)
                    #expect(item.label == "key")
                }
            }
        }
        let nested = MadePKCS12.bag(6, MadePKCS12.der(0x30, bags.flatMap { $0 }))
        #expect(try ImportedItem.one(MadePKCS12([nested]).data).key == pair.key)
        // Bytes after the file are ignored.
        #expect(ImportedItem.status(MadePKCS12(bags).data + [0x0a]) == errSecSuccess)
    }

    @Test func noPassphrase_andAnEmptyOne_openEachOther() throws {
        let pair = try Pair("anna")
        let bags = [MadePKCS12.bag(1, pair.info), MadePKCS12.certificate(pair.certificate)]
        for written in [nil, ""] as [String?] {
            let file = MadePKCS12(bags, passphrase: written).data
            for given in [nil, "", Data()] as [Any?] {
                #expect(try ImportedItem.one(file, given).label == "anna")
            }
            #expect(ImportedItem.status(file, "secret") == errSecAuthFailed)
        }
        // The encoding of OpenSSL before version 1.1: each byte of UTF-8 as one character.
        let old = MadePKCS12(bags, passphrase: "Ã©").data
        #expect(ImportedItem.status(old, "é") == errSecSuccess)
        #expect(ImportedItem.status(old, "e") == errSecAuthFailed)
    }

    @Test func label_isTheKeysName_orTheCertificates_orItsSummary() throws {
        let pair = try Pair("anna")
        for (key, leaf, label) in [("k", "c", "k"), (nil, "c", "c"), ("k", nil, "k"), (nil, nil, "anna")] {
            let bags = [
                MadePKCS12.bag(1, pair.info, name: key), MadePKCS12.certificate(pair.certificate, name: leaf),
            ]
            #expect(try ImportedItem.one(MadePKCS12(bags).data).label == label)
        }
    }

    @Test func keysAndCertificates_areJoinedByTheKey_andThenByTheMark() throws {
        let pairs = [try Pair("one"), try Pair("two"), try Pair("three")]
        // The local key identifiers contradict the keys. One certificate has no key, and one key has no certificate.
        let bags = [
            MadePKCS12.bag(1, pairs[0].info, identifier: [1]), MadePKCS12.bag(1, pairs[1].info, identifier: [2]),
            MadePKCS12.certificate(pairs[1].certificate, identifier: [1]),
            MadePKCS12.certificate(pairs[0].certificate, identifier: [2]),
            MadePKCS12.certificate(pairs[2].certificate), MadePKCS12.bag(1, try Pair("four").info),
        ]
        let items = try ImportedItem.all(MadePKCS12(bags).data)
        #expect(items.map(\.key) == [pairs[0].key, pairs[1].key])
        #expect(items.map(\.certificate) == [pairs[0].live, pairs[1].live])
        // Two certificates have the same key. The one with the key's identifier belongs to it.
        let renewed = MadeCertificate(
            serialNumber: MadeCertificate.der(0x02, [8]), subject: [.commonName("new")],
            publicKey: try #require(SecKeyCopyPublicKey(pairs[0].key)?.bytes))
        for mark: [UInt8] in [[1], [2]] {
            let bags = [
                MadePKCS12.bag(1, pairs[0].info, identifier: mark),
                MadePKCS12.certificate(pairs[0].certificate, identifier: [1]),
                MadePKCS12.certificate(renewed.data, identifier: [2]),
            ]
            #expect(try ImportedItem.one(MadePKCS12(bags).data).label == (mark == [1] ? "one" : "new"))
        }
    }

    @Test func chain_isOfTheCertificatesAbove_andNoOthers() throws {
        let root = try Pair("root", issuer: "root")
        let middle = try Pair("middle", issuer: "root")
        let leaf = try Pair("leaf", issuer: "middle")
        let bags =
            [root, leaf, middle, try Pair("stranger")].map { MadePKCS12.certificate($0.certificate) }
            + [MadePKCS12.bag(1, leaf.info)]
        let item = try ImportedItem.one(MadePKCS12(bags).data)
        #expect(item.chain?.map { $0 as SecCertificate? } == [leaf.live, middle.live, root.live])
    }

    @Test func otherBags_arePassedOver() throws {
        let pair = try Pair("anna")
        let other = MadePKCS12.bag(5, MadePKCS12.der(0x30, [2, 1, 1]))
        let bags = [other, MadePKCS12.bag(1, pair.info), MadePKCS12.certificate(pair.certificate)]
        #expect(try ImportedItem.one(MadePKCS12(bags).data).key == pair.key)
        #expect(try ImportedItem.all(MadePKCS12([other]).data).isEmpty)
        #expect(try ImportedItem.all(MadePKCS12([]).data).isEmpty)
    }

    /// However many copies of a key and a certificate a file has, and whatever the copies are called.
    @Test func copies_areOneIdentity() throws {
        let pair = try Pair("anna")
        let key = MadePKCS12.bag(1, pair.info, name: "key"), leaf = MadePKCS12.certificate(pair.certificate)
        let named = (0..<1000).map { MadePKCS12.bag(1, pair.info, name: "key \($0)", identifier: [UInt8($0 % 250)]) }
        let files = [
            [[UInt8]](repeating: key, count: 4095) + [leaf],
            [[UInt8]](repeating: key, count: 2000) + [[UInt8]](repeating: leaf, count: 2000), [key] + named + [leaf],
        ]
        for bags in files {
            let file = MadePKCS12(bags).data
            #expect(try ImportedItem.one(file).key == pair.key)
            #expect(try ImportedItem.one(file).label == "key")
            #expect(try ReadFile(file, "secret").objects.count == 1)
        }
        // Without the certificate, the keys are one key.
        #expect(try ReadFile(MadePKCS12([[UInt8]](repeating: key, count: 4096)).data, "secret").objects.count == 1)
    }

    /// Copies of an encrypted key are decrypted once: all of them together would need forty million digests.
    @Test func copiesOfAnEncryptedKey_areDecryptedOnce() throws {
        let pair = try Pair("anna")
        var parameters = SecItemImportExportKeyParameters()
        let passphrase: CFString = "secret"
        parameters.passphrase = .passUnretained(passphrase)
        var encrypted: CFData?
        #expect(SecItemExport(pair.key, .formatWrappedPKCS8, [], &parameters, &encrypted) == errSecSuccess)
        let key = MadePKCS12.bag(2, [UInt8](try #require(encrypted) as Data))
        let bags = [[UInt8]](repeating: key, count: 400) + [MadePKCS12.certificate(pair.certificate)]
        #expect(try ImportedItem.one(MadePKCS12(bags).data).key == pair.key)
    }

    /// One key may have many certificates, and each of these many possible chains. All of a file together have a limit.
    @Test func chainsOfAllIdentities_haveOneLimit() throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let point = try #require(SecKeyCopyPublicKey(key)?.bytes)
        let info = [UInt8](try exported(key, .formatBSAFE))
        func certificate(_ number: Int, _ subject: String, _ issuer: String, mark: [UInt8]? = nil) -> [UInt8] {
            let made = MadeCertificate(
                serialNumber: MadeCertificate.der(0x02, [1, UInt8(number)]), subject: [.commonName(subject)],
                issuer: [.commonName(issuer)], publicKey: point)
            return MadePKCS12.certificate(made.data, identifier: mark)
        }
        let middle = (0..<31).map { certificate($0, "middle", "root") }
        func file(_ count: Int) -> Data {
            let keys = (0..<count).map { MadePKCS12.bag(1, info, identifier: [UInt8($0)]) }
            return MadePKCS12(keys + (0..<count).map { certificate($0, "leaf", "middle", mark: [UInt8($0)]) } + middle)
                .data
        }
        #expect(try ImportedItem.all(file(8)).count == 8)
        var budget = ImportBudget()
        let passphrase = try Passphrase(.string(CallerText("secret")))
        let bags = try PKCS12File([UInt8](file(100))[...]).bags(passphrase, &budget)
        #expect(bags.identities.count == 100)
        for identity in bags.identities { _ = try identity.evaluatedTrust(within: budget.trust) }
        for resource in TrustBudget.Resource.allCases {
            #expect(budget.trust.spent[resource] ?? 0 <= resource.limit, "\(resource)")
        }
    }

    @Test func tooMuch_isRefused() throws {
        let pair = try Pair("anna")
        let many = [[UInt8]](repeating: MadePKCS12.bag(5, [5, 0]), count: 4097)
        #expect(ImportedItem.status(MadePKCS12(many).data) == errSecDataTooLarge)
        let large = MadePKCS12.certificate(pair.certificate + Data(count: 1 << 20))
        #expect(ImportedItem.status(MadePKCS12([large]).data) == errSecDataTooLarge)
        #expect(ImportedItem.status(Data(count: 8 << 20 + 1)) == errSecDataTooLarge)
        var nested = MadePKCS12.bag(5, [5, 0])
        for _ in 0..<20 { nested = MadePKCS12.bag(6, MadePKCS12.der(0x30, nested)) }
        #expect(ImportedItem.status(MadePKCS12([nested]).data) == errSecDecode)
    }

    @Test func dataThatIsNoFile_isRefused() {
        let junk: [Data] = [
            Data(), Data([0x30]), Data([0x30, 0]), Data([0x30, 0x80]), Data("text".utf8), Self.certificate,
            Data([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), Data(repeating: 0x30, count: 10_000),
            Data((0..<20_000).map { $0 % 2 == 0 ? 0x30 : 0x80 }), Data([0x30, 3, 2, 1, 3]),
        ]
        for data in junk { #expect(ImportedItem.status(data) == errSecDecode, "\(data as NSData)") }
    }

    /// The identity is added only if the options ask for it.
    @Test(.processKeychain) func identity_isAddedToTheKeychain() throws {
        let pair = try Pair("in the keychain \(UInt64.random(in: 0...UInt64.max))")
        let file = MadePKCS12([MadePKCS12.bag(1, pair.info), MadePKCS12.certificate(pair.certificate)]).data
        let query = [kSecValueRef: pair.key, kSecReturnAttributes: true] as CFDictionary
        var items: CFArray?
        var options: [CFString: Any] = [kSecImportExportPassphrase: "secret", kSecAttrLabel: "label"]
        let inMemory: [[CFString: Any]] = [
            [:], [kSecUseDataProtectionKeychain: true, kSecImportToMemoryOnly: true],
            // A number means the same.
            [kSecUseDataProtectionKeychain: 1, kSecImportToMemoryOnly: 1], [kSecUseDataProtectionKeychain: 0],
        ]
        for more in inMemory {
            let all = options.merging(more) { $1 } as CFDictionary
            #expect(SecPKCS12Import(file as CFData, all, &items) == errSecSuccess)
            #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
        }
        options[kSecUseDataProtectionKeychain] = true
        // The second time, everything is already stored.
        for _ in 0..<2 { #expect(SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess) }
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
        #expect((result as? [String: Any])?[kSecAttrLabel as String] as? String == "label")
        let identities: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecAttrSubject: try #require(pair.live).subject,
        ]
        #expect(SecItemCopyMatching(identities as CFDictionary, &result) == errSecSuccess)
        var key: SecKey?
        SecIdentityCopyPrivateKey(try #require(result as? SecIdentity), &key)
        #expect(key == pair.key)
        #expect(SecItemDelete([kSecValueRef: pair.key] as CFDictionary) == errSecSuccess)
        let live = try #require(pair.live)
        #expect(SecItemDelete([kSecValueRef: live] as CFDictionary) == errSecSuccess)
    }
}

extension SecCertificate {
    /// The subject as in its item: without the tag and length of the sequence.
    fileprivate var subject: Data {
        SecCertificateCopyNormalizedSubjectSequence(self).map { ($0 as Data).dropFirst(2) } ?? Data()
    }
}
