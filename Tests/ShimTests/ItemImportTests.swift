// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

/// `SecItemImport` with files that `openssl` wrote, and `openssl` with files that `SecItemExport` wrote.
@Suite(.enabled(if: trustProgramIsThere, "the program openssl is not there"))
struct ItemImportTests {
    static let kinds =
        ["RSA -pkeyopt rsa_keygen_bits:2048"]
        + ["P-256", "P-384", "P-521"].map {
            "EC -pkeyopt ec_paramgen_curve:\($0)"
        }

    /// The commands that write a private key, and the formats of their files.
    private static let privateFormats: [(command: String, format: SecExternalFormat, passphrase: String?)] = [
        ("pkey -in @key.pem -traditional -outform DER", .formatOpenSSL, nil),
        ("pkey -in @key.pem -traditional", .formatOpenSSL, nil),
        ("pkcs8 -topk8 -nocrypt -in @key.pem -outform DER", .formatBSAFE, nil),
        ("pkey -in @key.pem", .formatBSAFE, nil),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -outform DER", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:grün -v2 aes-128-cbc", .formatWrappedPKCS8, "grün"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -v2 des3 -v2prf hmacWithSHA1", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -v2prf hmacWithSHA512", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -v2prf hmacWithSHA224", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -scrypt", .formatWrappedPKCS8, "secret"),
        ("pkcs8 -topk8 -in @key.pem -passout pass:secret -v1 PBE-SHA1-3DES", .formatWrappedPKCS8, "secret"),
        (
            "pkcs8 -topk8 -in @key.pem -passout pass:secret -v1 PBE-MD5-DES -provider legacy -provider default",
            .formatWrappedPKCS8, "secret"
        ),
        (
            "pkcs8 -topk8 -in @key.pem -passout pass:secret -v1 PBE-SHA1-RC2-40 -provider legacy -provider default",
            .formatWrappedPKCS8, "secret"
        ),
        ("pkey -in @key.pem -traditional -aes256 -passout pass:secret", .formatWrappedOpenSSL, "secret"),
        ("pkey -in @key.pem -traditional -des3 -passout pass:secret", .formatWrappedOpenSSL, "secret"),
    ]

    private let files: KeyFiles

    init() throws { files = try KeyFiles() }

    private func makeKey(_ kind: String) throws -> SecKey {
        try files.openssl("genpkey -quiet -algorithm \(kind) -out @key.pem")
        try files.openssl("pkey -in @key.pem -pubout -out @public.pem")
        return try #require(try ReadFile(files.read("key.pem")).keys.first)
    }

    @Test(arguments: kinds)
    func privateKeys_ofEveryFormat_areRead(_ kind: String) throws {
        let key = try makeKey(kind)
        for (command, format, passphrase) in Self.privateFormats {
            try files.openssl(command + " -out @file")
            let file = try files.read("file")
            let read = try ReadFile(file, passphrase)
            #expect(read.keys.map(\.bytes) == [key.bytes], "\(command)")
            #expect(read.format == format, "\(command)")
            #expect(read.type == .itemTypePrivateKey, "\(command)")
            #expect(ReadFile.status(file, passphrase, format: format, type: .itemTypePrivateKey) == errSecSuccess)
            // In a PEM file, each block names its type.
            let other = command.contains("DER") ? errSecUnknownFormat : errSecSuccess
            #expect(ReadFile.status(file, passphrase, format: .formatX509Cert) == other, "\(command)")
            #expect(ReadFile.status(file, passphrase, type: .itemTypeCertificate) == other, "\(command)")
            guard passphrase != nil else { continue }
            #expect(ReadFile.status(file) == errSecPassphraseRequired, "\(command)")
            #expect(ReadFile.status(file, flags: .securePassphrase) == errSecInteractionNotAllowed, "\(command)")
            for wrong in ["", "Secret", "secretx", (passphrase ?? "") + "\0x"] {
                #expect(ReadFile.status(file, wrong) == errSecAuthFailed, "\(command), \(wrong)")
            }
        }
    }

    @Test(arguments: kinds)
    func publicKeys_ofEveryFormat_areRead(_ kind: String) throws {
        let key = try #require(SecKeyCopyPublicKey(try makeKey(kind)))
        var formats: [(String, SecExternalFormat)] = [
            ("pkey -pubin -in @public.pem", .formatOpenSSL),
            ("pkey -pubin -in @public.pem -outform DER", .formatOpenSSL),
        ]
        if kind.hasPrefix("RSA") {
            formats.append(("rsa -pubin -in @public.pem -RSAPublicKey_out", .formatBSAFE))
            formats.append(("rsa -pubin -in @public.pem -RSAPublicKey_out -outform DER", .formatBSAFE))
        }
        for (command, format) in formats {
            try files.openssl(command + " -out @file")
            let read = try ReadFile(files.read("file"))
            #expect(read.keys.map(\.bytes) == [key.bytes], "\(command)")
            #expect(read.format == format, "\(command)")
            #expect(read.type == .itemTypePublicKey, "\(command)")
        }
    }

    @Test(arguments: kinds)
    func keys_thatAreWritten_areRead(_ kind: String) throws {
        let key = try makeKey(kind)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let expected = try files.openssl("pkey -in @key.pem -outform DER -pubout -out @public.der")
        #expect(expected.isEmpty)
        for (flags, form): (SecItemImportExportFlags, String) in [([], "DER"), (.pemArmour, "PEM")] {
            for (format, passphrase): (SecExternalFormat, String?) in [
                (.formatOpenSSL, nil), (.formatBSAFE, nil), (.formatWrappedPKCS8, "grün"), (.formatUnknown, nil),
            ] {
                let file = try exported(key, format, passphrase, flags: flags)
                try files.write(file, "ours")
                try files.openssl(
                    "pkey -inform \(form) -in @ours -passin pass:\(passphrase ?? "") -outform DER -pubout -out @theirs")
                #expect(try files.read("theirs") == files.read("public.der"), "\(format)")
                #expect(try ReadFile(file, passphrase).keys.map(\.bytes) == [key.bytes])
            }
            var formats: [(SecExternalFormat, String)] = [
                (.formatOpenSSL, "pkey -pubin"), (.formatUnknown, "pkey -pubin"),
            ]
            if kind.hasPrefix("RSA") { formats.append((.formatBSAFE, "rsa -RSAPublicKey_in")) }
            for (format, command) in formats {
                try files.write(try exported(publicKey, format, flags: flags), "ours")
                try files.openssl("\(command) -inform \(form) -in @ours -outform DER -pubout -out @theirs")
                #expect(try files.read("theirs") == files.read("public.der"), "\(format)")
            }
        }
    }

    @Test func certificates_areRead_andWritten() throws {
        let chain = try files.makeChain()
        try files.openssl("x509 -in %leaf.pem -text -out @leaf.pem")
        try files.openssl("crl2pkcs7 -nocrl -certfile %leaf.pem -certfile %others.pem -out @list.pem")
        try files.openssl("crl2pkcs7 -nocrl -certfile %leaf.pem -certfile %others.pem -outform DER -out @list.der")
        let leaf = try ReadFile(Data(contentsOf: files.certificates.url("leaf.der")))
        #expect(leaf.certificates == [chain[0]] && leaf.format == .formatX509Cert && leaf.type == .itemTypeCertificate)
        #expect(try ReadFile(files.read("leaf.pem")).certificates == [chain[0]])
        for name in ["list.pem", "list.der"] {
            let list = try ReadFile(files.read(name))
            #expect(
                Set(list.certificates) == Set(chain) && list.format == .formatPKCS7 && list.type == .itemTypeAggregate)
        }
        try files.write(exported(chain, .formatPKCS7), "ours")
        let listed = try files.openssl("pkcs7 -inform DER -in @ours -print_certs -noout")
        for name in ["leaf", "middle", "root"] { #expect(listed.contains("subject=CN = \(name)\n")) }
        try files.write(exported(chain[0], .formatX509Cert, flags: .pemArmour), "ours")
        #expect(try files.openssl("x509 -in @ours -noout -subject") == "subject=CN = leaf\n")
    }

    /// The format of PKCS #12 and PKCS #7 files, and the blocks of PEM files, count more than the caller's hints.
    @Test func hints_demandWhatTheyDoOnAMac() throws {
        let chain = try files.makeChain()
        let identity = try files.pkcs12()
        try files.openssl("crl2pkcs7 -nocrl -certfile %leaf.pem -outform DER -out @list.der")
        let list = try files.read("list.der")
        let key = try Data(contentsOf: files.certificates.url("leaf.key"))
        for type: SecExternalItemType in [
            .itemTypeUnknown, .itemTypeCertificate, .itemTypePrivateKey, .itemTypePublicKey, .itemTypeAggregate,
        ] {
            for format: SecExternalFormat in [.formatUnknown, .formatPKCS12] {
                let read = try ReadFile(identity, "secret", format: format, type: type)
                #expect(read.identities.count == 1 && read.format == .formatPKCS12 && read.type == .itemTypeAggregate)
            }
            for format: SecExternalFormat in [.formatUnknown, .formatPKCS7] {
                let read = try ReadFile(list, format: format, type: type)
                #expect(read.certificates == [chain[0]] && read.format == .formatPKCS7)
            }
            for format: SecExternalFormat in [.formatUnknown, .formatOpenSSL, .formatX509Cert, .formatPKCS12] {
                let read = try ReadFile(key, format: format, type: type)
                #expect(read.keys.count == 1 && read.type == .itemTypePrivateKey && read.format != .formatX509Cert)
            }
            #expect(ReadFile.status(identity, "secret", format: .formatX509Cert, type: type) == errSecUnknownFormat)
            #expect(ReadFile.status(identity, "secret", format: .formatPKCS7, type: type) == errSecUnknownFormat)
            #expect(ReadFile.status(list, format: .formatPKCS12, type: type) == errSecUnknownFormat)
        }
    }

    @Test func sequences_areRead_andWritten() throws {
        let chain = try files.makeChain(key: ["rsa:2048"])
        let text = try ["leaf.pem", "leaf.key", "others.pem"].map { try Data(contentsOf: files.certificates.url($0)) }
        let file = Data("Some text: before\n".utf8) + Data(text.joined())
        let read = try ReadFile(file)
        #expect(read.format == .formatPEMSequence && read.type == .itemTypeAggregate)
        #expect(Set(read.certificates) == Set(chain) && read.keys.count == 1)
        #expect(ReadFile.status(file + text[1], flags: .importOnlyOne) == errSecMultiplePrivKeys)
        #expect(ReadFile.status(file, flags: .importOnlyOne) == errSecSuccess)
        let windows = String(decoding: file, as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try ReadFile(Data(windows.utf8)).objects.count == 4)
        let identity = try #require(SecIdentityCreate(nil, chain[0], read.keys[0]))
        for passphrase in [nil, "secret"] {
            let written = try exported([identity, chain[1]] as [AnyObject], .formatUnknown, passphrase)
            let isEncrypted = String(decoding: written, as: UTF8.self).contains("BEGIN ENCRYPTED PRIVATE KEY")
            #expect(isEncrypted == (passphrase != nil))
            let again = try ReadFile(written, passphrase)
            #expect(again.certificates == [chain[0], chain[1]] && again.keys == read.keys)
        }
    }

    @Test func pkcs12_isWritten_forOpenSSL() throws {
        let chain = try files.makeChain()
        let others = ["rsa:2048"]
        let second = try files.certificates.make("second", by: "middle", key: others, TrustCertificates.server)
        let keys = try ["leaf.key", "second.key"].map { (name) -> SecKey in
            try #require(try ReadFile(Data(contentsOf: files.certificates.url(name))).keys.first)
        }
        let identities = zip([chain[0], second], keys).compactMap { SecIdentityCreate(nil, $0, $1) }
        for passphrase in ["secret", "", "grün🔑"] {
            let twice = [identities[1], keys[0]] as [AnyObject]
            let file = try exported(identities + [chain[1], chain[2], chain[1]] + twice, .formatPKCS12, passphrase)
            try files.write(file, "ours.p12")
            let text = try files.openssl("pkcs12 -in @ours.p12 -nodes -passin", ["pass:" + passphrase])
            #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count - 1 == 4)
            #expect(text.components(separatedBy: "BEGIN PRIVATE KEY").count - 1 == 2)
            #expect(text.components(separatedBy: "friendlyName: second").count - 1 == 2)
            let items = try ImportedItem.all(file, passphrase)
            #expect(items.map(\.identity) == identities)
            #expect(items.map(\.label) == ["leaf", "second"])
            #expect(items.map(\.chain) == [chain, [second, chain[1], chain[2]]])
            let read = try ReadFile(file, passphrase)
            #expect(read.identities == identities && read.certificates == [chain[1], chain[2]] && read.keys.isEmpty)
            #expect(read.format == .formatPKCS12 && read.type == .itemTypeAggregate)
            #expect(ReadFile.status(file, passphrase, flags: .importOnlyOne) == errSecMultiplePrivKeys)
            #expect(ReadFile.status(file, "wrong") == errSecPkcs12VerifyFailure)
            #expect(ReadFile.status(file) == errSecPassphraseRequired)
        }
        // No two encrypted files are the same.
        #expect(try exported(identities, .formatPKCS12, "secret") != exported(identities, .formatPKCS12, "secret"))
        #expect(exportStatus(identities, .formatPKCS12) == errSecPassphraseRequired)
    }

    @Test func whatAFormatDoesNotHold_isRefused() throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let certificate = try #require(SecCertificateCreateWithData(nil, KeyVectors.p256Certificate as CFData))
        let identity = try #require(SecIdentityCreate(nil, certificate, key))
        for (items, format): (Any, SecExternalFormat) in [
            (certificate, .formatOpenSSL), (key, .formatX509Cert), (identity, .formatX509Cert),
            (identity, .formatOpenSSL),
            ([certificate, certificate], .formatX509Cert), ([key, certificate] as [AnyObject], .formatPKCS7),
            (publicKey, .formatBSAFE), ([key, key], .formatBSAFE),
        ] {
            #expect(exportStatus(items, format) == errSecUnsupportedFormat)
        }
        #expect(exportStatus(publicKey, .formatWrappedPKCS8, "secret") == errSecUnsupportedFormat)
        #expect(exportStatus(publicKey, .formatPKCS12, "secret") == errSecUnsupportedFormat)
        #expect(exportStatus(key, .formatWrappedPKCS8) == errSecPassphraseRequired)
        #expect(exportStatus(key, .formatWrappedPKCS8, keyFlags: .securePassphrase) == errSecInteractionNotAllowed)
        #expect(exportStatus(key, .formatOpenSSL, "secret") == errSecParam)
        #expect(exportStatus(publicKey, .formatOpenSSL, "secret") == errSecSuccess)
        for items in ["text", [] as [Any], ["text"], [certificate, 1] as [Any]] as [Any] {
            #expect(exportStatus(items, .formatPEMSequence) == errSecParam)
        }
        for format: SecExternalFormat in [.formatSSH, .formatSSHv2, .formatRawKey, .formatNetscapeCertSequence] {
            #expect(exportStatus(key, format) == errSecUnimplemented)
            #expect(ReadFile.status(KeyVectors.p256Certificate, format: format) == errSecUnimplemented)
        }
        var parameters = SecItemImportExportKeyParameters()
        let uses = [kSecAttrCanSign] as CFArray
        parameters.keyUsage = .passUnretained(uses)
        var data: CFData?
        #expect(SecItemExport(key, .formatOpenSSL, [], &parameters, &data) == errSecUnimplemented)
        parameters = SecItemImportExportKeyParameters()
        parameters.version = 1
        #expect(SecItemExport(key, .formatOpenSSL, [], &parameters, &data) == errSecParam)
        #expect(data == nil)
    }

    @Test func keyThatMayNotLeave_isNotWritten() throws {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsExtractable: false,
        ]
        let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        let certificate = try #require(SecCertificateCreateWithData(nil, KeyVectors.p256Certificate as CFData))
        let identity = try #require(SecIdentityCreate(nil, certificate, key))
        #expect(exportStatus(key, .formatOpenSSL) == errSecKeyIsSensitive)
        #expect(exportStatus(key, .formatBSAFE) == errSecKeyIsSensitive)
        #expect(exportStatus(key, .formatWrappedPKCS8, "secret") == errSecKeyIsSensitive)
        for format: SecExternalFormat in [.formatPKCS12, .formatPEMSequence] {
            #expect(exportStatus([certificate, identity] as [AnyObject], format, "secret") == errSecKeyIsSensitive)
        }
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(exportStatus(publicKey, .formatOpenSSL) == errSecSuccess)
    }

    /// The blocks that OpenSSL accepts, and those that it does not.
    @Test func blocks_areRead_asOpenSSLDoes() throws {
        let certificate = try files.makeChain()[0]
        let text = String(decoding: try exported(certificate, .formatX509Cert, flags: .pemArmour), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let begin = lines[0], end = lines[lines.count - 1]
        let content = Array(lines[1..<lines.count - 1])
        func block(_ begin: String, _ content: [String], _ end: String, _ lineEnd: String = "\n") -> String {
            ([begin] + content + [end]).joined(separator: lineEnd) + lineEnd
        }
        var broken = content
        broken[1].insert("!", at: broken[1].index(broken[1].startIndex, offsetBy: 20))
        var longer = content
        longer[1] += "AA AA"
        for (text, isRead) in [
            (block(begin, content, end), true), (block(begin, content, end, "\r\n"), true),
            (block(begin, content.map { $0 + " \t" }, end), true), (block(begin + " ", content, end + "  "), true),
            ("text before\n" + block(begin, content, end) + "text after\n", true),
            (block(begin, broken, end), false), (block(begin, longer, end), false),
            (block(begin, ["*"] + content, end), false), (block(begin, content + ["€"], end), false),
            (block(begin, Array(content.dropLast()), end), false), (block(begin, content, begin), false),
            (block(begin, content, "-----END PRIVATE KEY-----"), false),
            (block(begin, content, "-----END CERTIFICATE"), false),
            (block(begin, content, "-----END CERTIFICATE-----x"), false),
            (block(begin, [begin] + content, end), false), (block(begin, content, ""), false),
        ] {
            try files.write(Data(text.utf8), "block.pem")
            let isReadByOpenSSL = (try? files.openssl("x509 -in @block.pem -noout")) != nil
            #expect(isReadByOpenSSL == isRead, "\(text)")
            #expect((ReadFile.status(Data(text.utf8)) == errSecSuccess) == isRead, "\(text)")
        }
    }

    /// Each way in which programs write the parameters compiles.
    @Test func parameters_areWrittenInEveryWay() {
        let text = "secret" as CFString
        var parameters = SecItemImportExportKeyParameters(
            version: UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION), flags: SecKeyImportExportFlags(rawValue: 0),
            passphrase: Unmanaged.passUnretained(text), alertTitle: nil, alertPrompt: nil, accessRef: nil,
            keyUsage: nil, keyAttributes: nil)
        #expect(parameters.passphrase.takeUnretainedValue() as? String == "secret")
        #expect(parameters.passphrase?.takeUnretainedValue() as? String == "secret")
        #expect(parameters.passphrase!.takeUnretainedValue() === text)
        parameters.passphrase = Unmanaged.passUnretained("other" as AnyObject)
        parameters.passphrase = nil
        if let passphrase = parameters.passphrase { Issue.record("\(passphrase)") }
        parameters.alertTitle = Unmanaged.passUnretained(text)
        #expect(parameters.alertTitle.takeUnretainedValue() == text)
        #expect(parameters.accessRef == nil && parameters.keyUsage == nil && parameters.keyAttributes == nil)
    }

    @Test func filesThatAreNone_areRefused() {
        for file in ["", "text", "-----BEGIN NOTHING-----\n-----END NOTHING-----\n"].map({ Data($0.utf8) }) {
            #expect(ReadFile.status(file) == errSecUnknownFormat)
        }
        for text in [
            "-----BEGIN CERTIFICATE-----\nMIIB", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE\n",
        ] {
            #expect(ReadFile.status(Data(text.utf8)) == errSecDecode, "\(text)")
        }
        #expect(ReadFile.status(Data(count: 8 << 20 + 1)) == errSecDataTooLarge)
        let blocks = String(repeating: "-----BEGIN X-----\n-----END X-----\n", count: 4097)
        #expect(ReadFile.status(Data(blocks.utf8)) == errSecDataTooLarge)
        let headers = String(repeating: "A: b\n", count: 4096)
        let text = "-----BEGIN RSA PRIVATE KEY-----\n\(headers)\n-----END RSA PRIVATE KEY-----\n"
        #expect(ReadFile.status(Data(text.utf8)) == errSecDecode)
    }

    /// A key with an unknown encryption gives another status than a wrong passphrase. Salts are short.
    @Test func keyOfUnknownEncryption_isRefused() {
        func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] { MadeCertificate.der(tag, parts.flatMap { $0 }) }
        let pkcs5: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5]
        let digests: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2]
        func status(cipher: UInt8 = 42, digest: UInt8 = 9, saltSize: Int = 8) -> OSStatus {
            let vector = der(0x04, Array(repeating: 0, count: 16))
            let cipher = der(0x30, der(0x06, [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, cipher]), vector)
            let derivation = der(
                0x30, der(0x06, pkcs5 + [12]),
                der(
                    0x30, der(0x04, Array(repeating: 1, count: saltSize)), der(0x02, [8, 0]),
                    der(0x30, der(0x06, digests + [digest]), der(0x05))))
            let algorithm = der(0x30, der(0x06, pkcs5 + [13]), der(0x30, derivation, cipher))
            return ReadFile.status(Data(der(0x30, algorithm, der(0x04, Array(repeating: 0, count: 48)))), "secret")
        }
        #expect(status() == errSecAuthFailed)
        #expect(status(cipher: 99) == errSecUnsupportedFormat)
        #expect(status(digest: 99) == errSecUnsupportedFormat)
        #expect(status(saltSize: 1024) == errSecAuthFailed)
        #expect(status(saltSize: 1025) == errSecDecode)
    }

    /// Keys whose derivation would take hours: one with PBKDF2, one with scrypt.
    @Test func keyWithTooManyRounds_isRefused() {
        func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] { MadeCertificate.der(tag, parts.flatMap { $0 }) }
        let pkcs5: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5]
        let salt = der(0x04, [1, 2, 3, 4, 5, 6, 7, 8])
        let cipher = der(
            0x30, der(0x06, [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42]), der(0x04, Array(repeating: 0, count: 16)))
        let pbkdf2 = der(0x30, der(0x06, pkcs5 + [12]), der(0x30, salt, der(0x02, [0x7f, 0xff, 0xff, 0xff])))
        let endless = der(
            0x30, der(0x06, [0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 11]),
            der(0x30, salt, der(0x02, [1, 0, 0]), der(0x02, [1]), der(0x02, [1, 0, 0])))
        // Parameters for which OpenSSL allows no memory give another status than a wrong passphrase: N is 32768 here,
        // and 16384 below it.
        func scrypt(_ cost: [UInt8]) -> [UInt8] {
            der(
                0x30, der(0x06, [0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 11]),
                der(0x30, salt, der(0x02, cost), der(0x02, [8]), der(0x02, [1])))
        }
        let cases: [([UInt8], OSStatus)] = [
            (pbkdf2, errSecDecode), (endless, errSecDecode), (scrypt([0, 0x80, 0]), errSecUnimplemented),
            (scrypt([0x40, 0]), errSecAuthFailed),
        ]
        for (derivation, status) in cases {
            let algorithm = der(0x30, der(0x06, pkcs5 + [13]), der(0x30, derivation, cipher))
            let file = Data(der(0x30, algorithm, der(0x04, Array(repeating: 0, count: 48))))
            #expect(ReadFile.status(file, "secret") == status)
        }
    }
}
