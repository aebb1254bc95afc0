// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

/// PKCS #12 files that `openssl` wrote.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct PKCS12Tests {
    static let ciphers = [
        "", "-legacy", "-keypbe NONE", "-certpbe NONE", "-keypbe NONE -certpbe NONE", "-descert -legacy",
        "-keypbe AES-128-CBC -certpbe AES-192-CBC", "-keypbe aes-256-cbc -certpbe camellia-128-cbc",
        "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-2DES", "-keypbe PBE-SHA1-RC4-128 -certpbe PBE-SHA1-RC4-40 -legacy",
        "-keypbe PBE-SHA1-RC2-128 -certpbe PBE-SHA1-RC2-40 -legacy", "-keypbe des-cbc -certpbe rc2-cbc -legacy",
        "-keypbe des-ede3-cbc", "-macalg sha1", "-macalg sha224", "-macalg sha384", "-macalg sha512",
        "-iter 1 -maciter", "-noiter -nomaciter", "-iter 100000",
    ]

    private let files: KeyFiles

    init() throws { files = try KeyFiles() }

    @Test func everyCipher_isRead() throws {
        let chain = try files.makeChain()
        for options in Self.ciphers {
            let item = try ImportedItem.one(files.pkcs12(options))
            #expect(item.chain == chain, "\(options)")
            #expect(item.certificate == chain[0], "\(options)")
            #expect(item.key?.belongs(to: chain[0]) == true, "\(options)")
            #expect(item.label == "Anna’s clé", "\(options)")
            let attributes = try #require(item.key.flatMap(SecKeyCopyAttributes) as? [String: Any])
            #expect(item.keyIdentifier == attributes[kSecAttrApplicationLabel as String] as? Data, "\(options)")
        }
    }

    @Test(arguments: [
        ["rsa:1024"], ["rsa:3072"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"],
    ])
    func everyKey_isRead_andSigns(_ key: [String]) throws {
        let chain = try files.makeChain(key: key)
        let item = try ImportedItem.one(files.pkcs12())
        let algorithm: SecKeyAlgorithm =
            key[0] == "ec" ? .ecdsaSignatureMessageX962SHA256 : .rsaSignatureMessagePKCS1v15SHA256
        let message = Data("message".utf8) as CFData
        let privateKey = try #require(item.key)
        let signature = try #require(SecKeyCreateSignature(privateKey, algorithm, message, nil))
        let publicKey = try #require(SecCertificateCopyKey(chain[0]))
        #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
    }

    @Test func trust_isForTheChain() throws {
        let chain = try files.makeChain()
        let trust = try #require(try ImportedItem.one(files.pkcs12()).trust)
        #expect(!SecTrustEvaluateWithError(trust, nil))
        #expect(SecTrustSetAnchorCertificates(trust, [chain[2]] as CFArray) == errSecSuccess)
        #expect(SecTrustEvaluateWithError(trust, nil))
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == chain)
    }

    @Test(arguments: [
        "secret", "", "a b", "grün", "пароль", "🔑🔑", "\u{e9}", "e\u{301}", String(repeating: "x", count: 300),
    ])
    func passphrase_ofAnyText_opens(_ passphrase: String) throws {
        _ = try files.makeChain()
        for options in ["", "-legacy"] {
            let file = try files.pkcs12(options, passphrase: passphrase)
            #expect(ImportedItem.status(file, passphrase) == errSecSuccess)
            #expect(ImportedItem.status(file, Data(passphrase.utf8)) == errSecSuccess)
            #expect(ImportedItem.status(file, passphrase + "x") == errSecAuthFailed)
            #expect(ImportedItem.status(file, " " + passphrase) == errSecAuthFailed)
            #expect(ImportedItem.status(file, nil) == (passphrase.isEmpty ? errSecSuccess : errSecAuthFailed))
            #expect(ImportedItem.status(file, "") == (passphrase.isEmpty ? errSecSuccess : errSecAuthFailed))
            #expect(ImportedItem.status(file, 1) == errSecParam)
        }
    }

    @Test func fileWithoutCode_isRefused() throws {
        _ = try files.makeChain()
        #expect(ImportedItem.status(try files.pkcs12("-nomac")) == errSecDecode)
    }

    @Test func fileWithoutKey_hasNoIdentity() throws {
        _ = try files.makeChain()
        try files.openssl("pkcs12 -export -nokeys -in %leaf.pem -out @file.p12 -passout pass:secret")
        #expect(try ImportedItem.all(files.read("file.p12")).isEmpty)
        try files.openssl("pkcs12 -export -nocerts -inkey %leaf.key -in %leaf.key -out @file.p12 -passout pass:secret")
        #expect(try ImportedItem.all(files.read("file.p12")).isEmpty)
    }

    @Test func keyOfAnotherKind_isRefused() throws {
        try files.certificates.make("other", key: ["ed25519"], TrustCertificates.server)
        try files.openssl("pkcs12 -export -inkey %other.key -in %other.pem -out @file.p12 -passout pass:secret")
        #expect(ImportedItem.status(try files.read("file.p12")) == errSecUnsupportedKeyFormat)
        try files.certificates.make(
            "other", key: ["ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"], TrustCertificates.server)
        try files.openssl("pkcs12 -export -inkey %other.key -in %other.pem -out @file.p12 -passout pass:secret")
        #expect(ImportedItem.status(try files.read("file.p12")) == errSecUnsupportedKeyFormat)
    }

    /// The number of rounds is the last value in the file.
    @Test func fileWithTooManyRounds_isRefused() throws {
        _ = try files.makeChain()
        let file = try files.pkcs12("-iter 2048 -maciter")
        #expect(file.suffix(4) == Data([2, 2, 8, 0]))
        for rounds: [UInt8] in [
            [0x7f, 0xff, 0xff, 0xff], [0x00, 0x98, 0x96, 0x81], [0], [0xff], [0x7f, 1, 1, 1, 1, 1, 1, 1],
        ] {
            var changed = [UInt8](file.dropLast(4)) + MadeCertificate.der(0x02, rounds)
            let longer = rounds.count - 2
            // The lengths of the values around it: of the authentication code, and of the file.
            let code = changed.count - longer - 4 - 0x3f - 2 + 2
            #expect(changed[code] == 0x30 && changed[code + 1] == 0x41)
            changed[code + 1] = UInt8(0x41 + longer)
            let size = Int(changed[2]) << 8 + Int(changed[3]) + longer
            (changed[2], changed[3]) = (UInt8(size >> 8), UInt8(size & 0xff))
            #expect(ImportedItem.status(Data(changed)) == errSecDecode, "\(rounds)")
        }
    }
}
