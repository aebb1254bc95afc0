// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Security
import TestSupport
import Testing

/// Junk, truncated and changed files give a status and never crash.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct KeyFileJunkTests {
    private var random = SeededGenerator(for: "changed files of keys")

    private mutating func changed(_ data: [UInt8]) -> [UInt8] {
        var result = data
        switch Int.random(in: 0..<6, using: &random) {
        case 0: result = Array(data.prefix(Int.random(in: 0...data.count, using: &random)))
        case 1: result.insert(.random(in: 0...255, using: &random), at: Int.random(in: 0...data.count, using: &random))
        case 2 where !data.isEmpty: result.remove(at: Int.random(in: 0..<data.count, using: &random))
        case 3: result = (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        default:
            for _ in 0..<Int.random(in: 1...4, using: &random) where !data.isEmpty {
                result[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return result
    }

    /// The statuses that a damaged file may give.
    private static let expected: Set<OSStatus> = [
        errSecSuccess, errSecDecode, errSecUnknownFormat, errSecAuthFailed, errSecPkcs12VerifyFailure,
        errSecUnsupportedFormat, errSecUnsupportedKeyFormat, errSecDataTooLarge, errSecUnimplemented,
    ]

    @Test mutating func filesOfOpenSSL_changedInAnyWay_areReadOrRefused() throws {
        let files = try KeyFiles()
        _ = try files.makeChain()
        let rsa = try files.certificates.make("rsa", key: ["rsa:1024"], TrustCertificates.server)
        let key = try #require(try ReadFile(Data(contentsOf: files.certificates.url("rsa.key"))).keys.first)
        let identity = try #require(SecIdentityCreate(nil, rsa, key))
        var whole = try ["", "-legacy", "-keypbe NONE -certpbe NONE"].map {
            try files.pkcs12("-iter 1 -nomaciter " + $0)
        }
        try files.openssl("pkcs8 -topk8 -in %leaf.key -iter 1 -outform DER -passout pass:secret -out @key.der")
        try files.openssl("pkcs8 -topk8 -in %rsa.key -iter 1 -passout pass:secret -out @key.pem")
        try files.openssl("pkey -in %leaf.key -traditional -aes128 -passout pass:secret -out @old.pem")
        try files.openssl("crl2pkcs7 -nocrl -certfile %leaf.pem -certfile %others.pem -outform DER -out @list.der")
        whole += try ["key.der", "key.pem", "old.pem", "list.der"].map(files.read)
        whole.append(try exported(identity, .formatPEMSequence))
        for format: SecExternalFormat in [.formatOpenSSL, .formatBSAFE] {
            whole.append(try exported(key, format))
            whole.append(try exported(SecKey.new(kSecAttrKeyTypeEC, 521), format))
            whole.append(try exported(try #require(SecKeyCopyPublicKey(key)), format))
        }
        for file in whole {
            for _ in RandomRounds.usually(100) {
                let file = Data(changed([UInt8](file)))
                #expect(Self.expected.contains(ImportedItem.status(file)))
                #expect(Self.expected.contains(ReadFile.status(file, "secret")))
            }
        }
    }

    /// Changes for which the authentication code is computed again.
    @Test mutating func bags_changedInAnyWay_areReadOrRefused() throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let certificate = MadeCertificate(
            subject: [.commonName("anna")],
            publicKey: try #require(SecKeyCopyPublicKey(key)?.bytes)
        ).data
        let info = [UInt8](try exported(key, .formatBSAFE))
        let files = try KeyFiles()
        try files.write(Data(info), "key.der")
        try files.openssl(
            "pkcs8 -topk8 -inform DER -in @key.der -iter 1 -outform DER -passout pass:secret -out @wrapped")
        let bags = [
            MadePKCS12.bag(1, info, name: "key", identifier: [1]),
            MadePKCS12.certificate(certificate, name: "leaf", identifier: [1]),
            MadePKCS12.bag(2, [UInt8](try files.read("wrapped"))),
            MadePKCS12.bag(6, MadePKCS12.der(0x30, MadePKCS12.certificate(certificate))),
        ]
        #expect(try ImportedItem.all(MadePKCS12(bags).data).count == 1)
        for round in RandomRounds.usually(1000) {
            var file = MadePKCS12([])
            file.isIndefinite = round.isMultiple(of: 2)
            file.safes = [changed(MadePKCS12.der(0x30, bags.flatMap { $0 }))]
            #expect(Self.expected.contains(ImportedItem.status(file.data)))
        }
    }
}
