// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemShim
import SecItemStore
import TestSupport
import Testing

@testable import SecurityCommand

/// CMS messages, with OpenSSL at the other end.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "openssl is not installed"))
struct CMSCommandTests {
    private let fixture: CommandFixture
    private var folder: String { fixture.folder.path }

    init() throws {
        fixture = try CommandFixture()
        try profile.write(toFile: folder + "/profile.plist", atomically: false, encoding: .utf8)
    }

    /// The content of a provisioning profile.
    private let profile =
        "<?xml version=\"1.0\"?>\r\n<plist><dict>\n<key>Name</key><string>Jürgen</string>\n</dict></plist>\n"

    @discardableResult
    private func openssl(_ arguments: String...) throws -> String {
        try Program("/usr/bin/openssl", arguments).output()
    }

    /// Makes a root, and a signer with this name whose certificate the root has issued.
    private func makeSigner(
        _ name: String, key: [String] = curve, days: String = "30",
        keyUsage: String = "digitalSignature,keyEncipherment,keyAgreement"
    ) throws {
        let root = Program(
            "/usr/bin/openssl",
            ["req", "-x509"] + key + [
                "-nodes", "-keyout", "\(folder)/\(name)-root.key", "-out", "\(folder)/\(name)-root.pem", "-days",
                "3650",
                "-subj", "/CN=Root of \(name)",
            ])
        try root.output()
        let request = Program(
            "/usr/bin/openssl",
            ["req", "-new"] + key + [
                "-nodes", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).csr", "-subj",
                "/CN=\(name)/emailAddress=\(name)@example.com",
            ])
        try request.output()
        let usage = keyUsage.isEmpty ? "" : "keyUsage=\(keyUsage)\n"
        try "subjectKeyIdentifier=hash\n\(usage)".write(
            toFile: folder + "/extensions", atomically: false, encoding: .utf8)
        try openssl(
            "x509", "-req", "-in", "\(folder)/\(name).csr", "-CA", "\(folder)/\(name)-root.pem", "-CAkey",
            "\(folder)/\(name)-root.key", "-CAcreateserial", "-days", days, "-extfile", "\(folder)/extensions", "-out",
            "\(folder)/\(name).pem")
    }

    /// Imports the signer into the login keychain.
    private func importSigner(_ name: String, _ options: String...) throws {
        try openssl(
            "pkcs12", "-export", "-inkey", "\(folder)/\(name).key", "-in", "\(folder)/\(name).pem", "-certfile",
            "\(folder)/\(name)-root.pem", "-passout", "pass:x", "-out", "\(folder)/\(name).p12")
        try fixture.program(["import", "\(folder)/\(name).p12", "-P", "x"] + options).output()
    }

    private static let rsa = ["-newkey", "rsa:2048"]
    private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    // MARK: Decoding

    /// A provisioning profile is read in the forms that OpenSSL writes, although its certificate has expired and is
    /// not trusted here.
    @Test(arguments: [
        [], ["-md", "sha1"], ["-noattr"], ["-nosmimecap", "-stream", "-keyid", "-md", "sha512"],
    ])
    func provisioningProfile_isRead(options: [String]) throws {
        try makeSigner("apple", key: Self.rsa, days: options.contains("sha1") ? "-1" : "30")
        let sign = Program(
            "/usr/bin/openssl",
            [
                "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/apple.pem", "-inkey",
                folder + "/apple.key", "-certfile", folder + "/apple-root.pem", "-nodetach", "-binary", "-outform",
                "DER",
                "-out", folder + "/embedded.mobileprovision",
            ] + options)
        try sign.output()
        let file = folder + "/embedded.mobileprovision"
        let read = try fixture.run("cms", "-D", "-i", file)
        #expect(read.status == 0 && read.output == profile && read.errors.isEmpty, "\(read)")
        #expect(try fixture.run("cms", "-Di", file).output == profile)
        #expect(try fixture.run("cms", "-D", "-i", file, "-u", "6", "-k", "login.keychain").output == profile)
        let written = try fixture.run("cms", "-D", "-i", file, "-o", folder + "/out.plist")
        #expect(written.status == 0 && written.output.isEmpty)
        #expect(try String(contentsOfFile: folder + "/out.plist", encoding: .utf8) == profile)
        let shell = Program(
            "/bin/sh", ["-c", "'\(try fixture.program([]).executable)' cms -D < '\(file)'"],
            environment: fixture.environment)
        #expect(try shell.output() == profile)
        #expect(try fixture.run("cms", "-D", "-n", "-i", file).output.isEmpty)
        let weak = "SignatureAlgorithmUnsupported"
        #expect(
            try fixture.run("cms", "-D", "-n", "-h", "0", "-i", file).output == """
                SMIME: \tlevel=0.2; type=signedData; nsigners=1;\(" ")
                \t\tsigner0.id="apple"; signer0.status=\(options.contains("sha1") ? weak : "SigningCertNotTrusted");\(" ")
                \tlevel=0.1; type=data;\(" ")

                """)
    }

    /// The status of the signer `anna`, whose root the machine trusts here.
    private func status(_ options: [String] = []) throws -> String {
        try sign(options)
        var trusting = fixture
        trusting.environment["SSL_CERT_FILE"] = folder + "/anna-root.pem"
        let read = try trusting.run("cms", "-D", "-h", "0", "-i", folder + "/message")
        #expect(read.status == 0 && read.output.hasSuffix(profile), "\(read)")
        let line = read.output.split(separator: ";").first { $0.contains("signer0.status=") } ?? ""
        return String(line.drop { $0 != "=" }.dropFirst())
    }

    private func sign(_ options: [String] = []) throws {
        try Program(
            "/usr/bin/openssl",
            [
                "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
                folder + "/anna.key", "-nodetach", "-binary", "-outform", "DER", "-out", folder + "/message",
            ] + options
        ).output()
    }

    /// Others can make content that has the same digest, if that is MD5 or SHA-1.
    @Test func digestThatIsWeak_isNoGoodSignature() throws {
        try makeSigner("anna", key: Self.rsa)
        let digests = [
            ("sha256", true), ("sha384", true), ("sha512", true), ("sha224", true), ("sha3-256", true), ("sha1", false),
            ("md5", false), ("ripemd160", false),
        ]
        for (digest, isGood) in digests {
            for attributes in [[], ["-noattr"]] {
                let found = try status(["-md", digest] + attributes)
                #expect(
                    found == (isGood ? "GoodSignature" : "SignatureAlgorithmUnsupported"), "\(digest) \(attributes)")
            }
        }
    }

    /// A certificate signs if its key usage says so, or says nothing. Apple's policy for mail does not take non-repudiation alone.
    @Test(arguments: [
        ("digitalSignature", true), ("nonRepudiation", false), ("digitalSignature,keyEncipherment", true), ("", true),
        ("keyEncipherment", false), ("keyAgreement,dataEncipherment", false),
    ])
    func certificateThatDoesNotSign_isNotTrusted(keyUsage: String, isGood: Bool) throws {
        try makeSigner("anna", keyUsage: keyUsage)
        #expect(try status() == (isGood ? "GoodSignature" : "SigningCertNotTrusted"))
    }

    /// However many certificates a message brings along that could be the signer's issuer: those of the keychains, and
    /// the true one if it comes first, still count.
    @Test func certificatesOfAMessage_leaveRoomForTheKeychains() throws {
        try makeSigner("anna")
        var fakes = ""
        for _ in 0..<150 {
            try openssl(
                "req", "-x509", "-key", folder + "/anna.key", "-out", folder + "/fake.pem", "-subj",
                "/CN=Root of anna")
            fakes += try String(contentsOfFile: folder + "/fake.pem", encoding: .utf8)
        }
        try fakes.write(toFile: folder + "/fakes.pem", atomically: false, encoding: .utf8)
        try sign(["-certfile", folder + "/fakes.pem"])
        try fixture.program(["add-certificates", folder + "/anna-root.pem"]).output()
        var trusting = fixture
        trusting.environment["SSL_CERT_FILE"] = folder + "/anna-root.pem"
        let read = try trusting.run("cms", "-D", "-h", "0", "-i", folder + "/message")
        #expect(read.status == 0 && read.output.contains("signer0.status=GoodSignature"), "\(read)")
    }

    /// If a message was changed after it was signed, the command prints no content.
    @Test func changedMessage_isNotRead() throws {
        try makeSigner("anna")
        try openssl(
            "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
            folder + "/anna.key", "-nodetach", "-binary", "-outform", "DER", "-out", folder + "/message")
        let message = try Data(contentsOf: URL(fileURLWithPath: folder + "/message"))
        let place = try #require(message.range(of: Data("Jürgen".utf8)))
        for (index, status) in [(place.lowerBound, "DigestMismatch"), (message.count - 3, "BadSignature")] {
            var changed = message
            changed[index] ^= 1
            try changed.write(to: URL(fileURLWithPath: folder + "/changed"))
            let read = try fixture.run("cms", "-D", "-i", folder + "/changed", "-o", folder + "/untouched")
            #expect(read.status == 1 && read.output.isEmpty)
            #expect(read.errors == "security: cms: failed to decode message: signer 0 status = \(status)\n")
            #expect(!FileManager.default.fileExists(atPath: folder + "/untouched"))
        }
    }

    /// If a signer's certificate is not in the message, the command looks for it in the keychains.
    @Test func certificateThatIsMissing_isLookedFor() throws {
        try makeSigner("anna")
        try openssl(
            "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
            folder + "/anna.key", "-nodetach", "-binary", "-nocerts", "-outform", "DER", "-out", folder + "/message")
        let without = try fixture.run("cms", "-D", "-i", folder + "/message")
        #expect(without.status == 1 && without.errors.contains("SigningCertNotFound"))
        try fixture.program(["add-certificates", folder + "/anna.pem"]).output()
        #expect(try fixture.run("cms", "-D", "-i", folder + "/message").output == profile)
    }

    /// A message with an expired, self-signed signer's certificate is read. The signer is not trusted.
    @Test func expiredSelfSignedSigner_isRead_notTrusted() throws {
        try makeSigner("anna")
        try openssl(
            "x509", "-req", "-in", folder + "/anna.csr", "-signkey", folder + "/anna.key", "-days", "-1", "-extfile",
            folder + "/extensions", "-out", folder + "/anna.pem")
        try openssl(
            "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
            folder + "/anna.key", "-nodetach", "-binary", "-outform", "DER", "-out", folder + "/message")
        for usage in ["0", "4", "6", "7"] {
            let read = try fixture.run("cms", "-D", "-h", "0", "-u", usage, "-i", folder + "/message")
            #expect(read.status == 0 && read.errors.isEmpty && read.output.hasSuffix(profile))
            #expect(read.output.contains("signer0.id=\"anna\"; signer0.status=SigningCertNotTrusted; "))
        }
        // The certificate is its own authority, but not a reason for trust.
        try fixture.program(["add-certificates", folder + "/anna.pem"]).output()
        let known = try fixture.run("cms", "-D", "-n", "-h", "0", "-i", folder + "/message")
        #expect(known.output.contains("signer0.status=SigningCertNotTrusted; "))
    }

    /// As on a Mac, a message in a text form is not read. The command in the error converts it.
    @Test(arguments: [("PEM", "PEM"), ("SMIME", "S/MIME")])
    func messageInText_isRefused_withWhatConvertsIt(form: String, name: String) throws {
        try makeSigner("anna")
        try openssl(
            "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
            folder + "/anna.key", "-nodetach", "-binary", "-outform", form, "-out", folder + "/message")
        let refused = try fixture.run("cms", "-D", "-i", folder + "/message")
        #expect(refused.status == 1 && refused.output.isEmpty)
        let start = try #require(refused.errors.range(of: ". It is \(name): convert it with openssl "))
        let conversion = refused.errors[start.upperBound...].split(whereSeparator: \.isWhitespace).map(String.init)
        try Program(
            "/usr/bin/openssl", conversion + ["-in", folder + "/message", "-out", folder + "/message.der"]
        ).output()
        #expect(try fixture.run("cms", "-D", "-i", folder + "/message.der").output == profile)
    }

    @Test func messageInBase64_isRefused_withWhatDecodesIt() throws {
        try makeSigner("anna")
        try openssl(
            "cms", "-sign", "-in", folder + "/profile.plist", "-signer", folder + "/anna.pem", "-inkey",
            folder + "/anna.key", "-nodetach", "-binary", "-outform", "DER", "-out", folder + "/message")
        let text = try Data(contentsOf: URL(fileURLWithPath: folder + "/message")).base64EncodedString()
        #expect(try fixture.run("cms", "-D", input: text).errors.contains("base64 -d"))
        let junk = try fixture.run("cms", "-D", input: "junk")
        #expect(junk.errors == "security: cms: failed to decode message: it is not a CMS message in BER or DER\n")
    }

    @Test func detachedContent_isComparedWithItsSignature() throws {
        try makeSigner("anna")
        let content = folder + "/profile.plist", message = folder + "/message"
        try openssl(
            "cms", "-sign", "-in", content, "-signer", folder + "/anna.pem", "-inkey", folder + "/anna.key", "-binary",
            "-outform", "DER", "-out", message)
        #expect(try fixture.run("cms", "-D", "-i", message, "-c", content).output == profile)
        #expect(try fixture.run("cms", "-D", "-i", message).status == 1)
        #expect(try fixture.run("cms", "-D", "-i", message, "-c", folder + "/nonexistent").status == 1)
        try "other".write(toFile: content, atomically: false, encoding: .utf8)
        let changed = try fixture.run("cms", "-D", "-i", message, "-c", content)
        #expect(changed.status == 1 && changed.output.isEmpty && changed.errors.contains("DigestMismatch"))
    }

    // MARK: Signing

    /// OpenSSL verifies our signatures, with each digest, and with either type of key. The keys are not exportable.
    @Test(arguments: [(rsa, nil), (rsa, "SHA1"), (rsa, "SHA512"), (curve, nil), (curve, "SHA256"), (curve, "SHA384")])
    func signature_isVerifiedByOpenSSL(key: [String], hash: String?) throws {
        try makeSigner("anna", key: key)
        try importSigner("anna", "-x")
        let options = hash.map { ["-H", $0] } ?? []
        let sign = ["cms", "-S", "-N", "anna@example.com", "-i", folder + "/profile.plist", "-o", folder + "/message"]
        for more in [[], ["-G"], ["-G", "-P", "-Y", "NONE"]] {
            try fixture.program(sign + options + more).output()
            let verify = [
                "cms", "-verify", "-inform", "DER", "-in", folder + "/message", "-CAfile", folder + "/anna-root.pem",
                "-binary", "-purpose", "any",
            ]
            #expect(try Program("/usr/bin/openssl", verify).output() == profile)
            let text = try openssl("cms", "-cmsout", "-print", "-inform", "DER", "-in", folder + "/message")
            #expect(text.contains("algorithm: \(hash?.lowercased() ?? "sha256") "))
            #expect(text.contains("signingTime") == more.contains("-G"))
            #expect(text.contains("S/MIME Capabilities") == more.contains("-P"))
            #expect(text.contains("id-smime-aa-encrypKeyPref") != more.contains("NONE"))
            // RFC 3370 and RFC 5754: the parameters of RSA are NULL, and ECDSA has none.
            let signature = try #require(text.range(of: "signatureAlgorithm:", options: .backwards))
            let lines = text[signature.upperBound...].split(separator: "\n")
            let parameter = lines.first { $0.contains("parameter:") } ?? ""
            #expect(parameter.contains(key == Self.rsa ? "parameter: NULL" : "parameter: <ABSENT>"), "\(parameter)")
        }
        #expect(try fixture.run("cms", "-D", "-i", folder + "/message").output == profile)
        try fixture.program(sign + options + ["-T"]).output()
        let detached = folder + "/message", content = folder + "/profile.plist"
        #expect(try fixture.run("cms", "-D", "-i", detached).status == 1)
        #expect(try fixture.run("cms", "-D", "-i", detached, "-c", content).output == profile)
    }

    @Test func signer_isFoundByNameOrKey() throws {
        try makeSigner("anna")
        let nobody = try fixture.run("cms", "-S", "-N", "anna", input: "x")
        #expect(nobody.status == 1)
        #expect(nobody.errors == "security: could not find signing identity for name: \"anna\"\n")
        try importSigner("anna")
        let text = try openssl("x509", "-in", folder + "/anna.pem", "-noout", "-ext", "subjectKeyIdentifier")
        let identifier = text.split(separator: "\n")[1].filter { $0.isHexDigit }
        let file = folder + "/signed"
        for option in [["-N", "anna"], ["-N", "ANNA@example.com"], ["-Z", identifier]] {
            #expect(
                try fixture.program(["cms", "-S", "-o", file] + option).run(input: "text").status == 0, "\(option)")
            #expect(try fixture.run("cms", "-D", "-i", file).output == "text")
        }
        let other = try fixture.run("cms", "-S", "-Z", "00", input: "x")
        #expect(other.status == 1 && other.errors.contains("subject key ID"))
        let none = try fixture.run("cms", "-S", input: "x")
        #expect(none.status == 1 && none.errors == "security: no signing identity was specified\n")
    }

    // MARK: Envelopes

    @Test(arguments: [rsa, curve])
    func envelope_isOpenedByItsRecipientAlone(key: [String]) throws {
        try makeSigner("anna", key: key)
        try makeSigner("bert", key: key)
        let sealed = folder + "/sealed", opened = folder + "/opened"
        try fixture.program(["add-certificates", folder + "/anna.pem", folder + "/bert.pem"]).output()
        let envelop = ["cms", "-E", "-r", "anna@example.com,bert", "-i", folder + "/profile.plist", "-o", sealed]
        try fixture.program(envelop).output()
        #expect(
            try openssl(
                "cms", "-decrypt", "-inform", "DER", "-in", sealed, "-inkey", folder + "/anna.key", "-recip",
                folder + "/anna.pem", "-binary") == profile)
        let closed = try fixture.run("cms", "-D", "-i", sealed)
        #expect(closed.status == 1 && closed.output.isEmpty && closed.errors.contains("no key here opens it"))
        try importSigner("bert")
        #expect(try fixture.run("cms", "-D", "-i", sealed).output == profile)
        #expect(try fixture.run("cms", "-D", "-i", sealed, "-o", opened).status == 0)
        var status = stat()
        #expect(stat(opened, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // A file that others can read does not get the content: a new one takes its place.
        chmod(opened, 0o666)
        let reader = try #require(FileHandle(forReadingAtPath: opened))
        _ = try reader.readToEnd()
        #expect(try fixture.run("cms", "-D", "-i", sealed, "-o", opened).status == 0)
        #expect(stat(opened, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try String(contentsOfFile: opened, encoding: .utf8) == profile)
        #expect(fstat(reader.fileDescriptor, &status) == 0 && status.st_nlink == 0)
        // The next lines of interactive mode are commands, and no message.
        let interactive = try fixture.run("-i", input: "cms -S -N bert\nerror 0\n")
        #expect(interactive.errors.contains("name a file") && interactive.output.contains("Error: 0x00000000"))
        try openssl(
            "cms", "-encrypt", "-in", folder + "/profile.plist", "-binary", "-outform", "DER", "-stream", "-out",
            sealed,
            "-aes-256-cbc", folder + "/bert.pem")
        #expect(try fixture.run("cms", "-D", "-i", sealed).output == profile)
        #expect(try fixture.run("cms", "-E", "-r", "nobody", input: "x").status == 1)
        #expect(try fixture.run("cms", "-E", input: "x").status == 2)
    }

    @Test func certificatesAlone_makeAMessage() throws {
        try makeSigner("anna")
        try fixture.program(["add-certificates", folder + "/anna.pem"]).output()
        let file = folder + "/certificates.p7b"
        try fixture.program(["cms", "-O", "-r", "anna@example.com", "-o", file]).output()
        let text = try openssl("pkcs7", "-inform", "DER", "-in", file, "-print_certs")
        #expect(text.contains("BEGIN CERTIFICATE") && text.contains("anna"))
        let read = try fixture.run("cms", "-D", "-i", file, "-h", "1")
        #expect(read.status == 0 && read.output.contains("nsigners=0;"))
    }

    // MARK: What is not there

    @Test func wrongCommandLines_areRefused() throws {
        let lines = [
            [], ["-D", "-S"], ["-D", "-G"], ["-S", "-c", "x"], ["-E", "-n"], ["-D", "-r", "x"], ["-D", "-h", "-1"],
        ]
        for line in lines {
            #expect(try fixture.program(["cms"] + line).run().status == 2, "\(line)")
        }
        #expect(try fixture.run("cms", "-S", "-H", "MD5", "-N", "x").status == 2)
        #expect(try fixture.run("cms", "-D", "-u", "12").status == 2)
        for (line, option) in [(["-C", "-e", "x"], "-C"), (["-E", "-e", "x", "-r", "x"], "-e")] {
            let encrypted = try fixture.program(["cms"] + line).run(input: "x")
            #expect(encrypted.status == 1 && encrypted.output.isEmpty)
            #expect(encrypted.errors.contains("not available here") && encrypted.errors.contains("(\(option): "))
            #expect(encrypted.errors.contains("-E -r RECIPIENT"))
        }
        #expect(try fixture.run("cms", "-D", "-i", "/nonexistent").status == 1)
    }

    /// Any bytes are read or refused.
    @Test func junk_isNoTrap() throws {
        try makeSigner("anna")
        try makeSigner("bert", key: Self.curve)
        let key = try Data(contentsOf: URL(fileURLWithPath: folder + "/bert.key"))
        let text = try #require(String(data: key, encoding: .utf8))
        let der = try #require(
            Data(base64Encoded: text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()))
        let certificate = try #require(try CertificateFile(folder + "/bert.pem").certificates().first)
        let sign = ["-signer", folder + "/anna.pem", "-inkey", folder + "/anna.key"]
        let makers = [
            ["-sign", "-nodetach"] + sign, ["-sign", "-nodetach", "-stream", "-noattr"] + sign, ["-sign"] + sign,
            ["-encrypt", "-aes256", folder + "/bert.pem"], ["-digest_create"], ["-data_create"],
        ]
        var messages: [[UInt8]] = []
        for maker in makers {
            let out = folder + "/message"
            let common = ["cms", "-in", folder + "/profile.plist", "-outform", "DER", "-binary", "-out", out]
            try Program("/usr/bin/openssl", common + maker).output()
            messages.append(Array(try Data(contentsOf: URL(fileURLWithPath: out))))
        }
        var generator = SeededGenerator()
        var read = 0
        for round in RandomRounds.usually(3000) {
            var bytes = messages[round % messages.count]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 2: bytes.removeSubrange(place..<min(place + 4, bytes.count - 1))
                case 3: bytes.insert(contentsOf: bytes[place...].prefix(16), at: place)
                default: bytes.removeLast(min(place, bytes.count - 1))
                }
            }
            guard let message = try? CMSMessage(bytes) else { continue }
            read += 1
            let content = try? message.signedContent(round % 2 == 0 ? nil : [1], others: [certificate])
            _ = message.signers(isRight: content != nil)
            _ = (message.certificates, message.hasContent)
            _ = try? message.plainContent(nil)
            _ = try? message.decrypted(Array(der), certificate)
        }
        // Some of them are read.
        #expect(read > 100)
    }
}
