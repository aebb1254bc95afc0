// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemShim
import SecItemStore
import TestSupport
import Testing

/// The commands for certificates, where some cannot be read and one is guarded.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "openssl is not installed"))
struct CertificateObjectTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func calls(_ application: String = "app") throws -> KeychainCalls {
        let store = try SQLiteStore(
            location: StoreLocation(folder: fixture.folder.path + "/data/secitem"), cache: .none)
        return KeychainCalls(store: store, application: ClientApplication(identifier: application))
    }

    /// Adds certificates that cannot be read. The second shares all attributes but one with the first.
    private func addJunk() throws {
        for number in 1...2 {
            let item: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecValueData: Data("junk".utf8), kSecAttrLabel: "junk",
                kSecAttrSerialNumber: Data([UInt8(number)]),
            ]
            _ = try calls().add(item: item as CFDictionary)
        }
    }

    /// Adds a certificate of that name, and its key if it is not guarded.
    private func add(_ name: String, isGuarded: Bool = false) throws {
        let folder = fixture.folder.path
        try Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                folder + "/key.pem", "-out", folder + "/cert.pem", "-subj",
                "/CN=\(name)/emailAddress=\(name)@b.example",
            ]
        ).output()
        if !isGuarded {
            _ = try fixture.program(["import", folder + "/key.pem"]).output()
            _ = try fixture.program(["add-certificates", folder + "/cert.pem"]).output()
            return
        }
        let lines = try String(contentsOfFile: folder + "/cert.pem", encoding: .utf8).split(separator: "\n")
        let bytes = try #require(Data(base64Encoded: lines.filter { !$0.hasPrefix("-") }.joined()))
        let certificate = try #require(SecCertificateCreateWithData(nil, bytes as CFData))
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let item: [CFString: Any] = [kSecValueRef: certificate, kSecAttrAccessControl: control as Any]
        _ = try calls().add(item: item as CFDictionary)
    }

    private func printed(_ result: FinishedProgram) -> Int {
        result.lines.count { $0 == "class: 0x80001000 " }
    }

    @Test func dump_printsEveryCertificate() throws {
        try addJunk()
        #expect(try printed(fixture.run("dump-keychain")) == 2)
        try add("anna")
        try add("guarded", isGuarded: true)
        let dump = try fixture.run("dump-keychain")
        #expect(dump.status == 0 && dump.errors.isEmpty && printed(dump) == 4, "\(dump)")
        let aliases = dump.lines.filter { $0.hasPrefix("    \"alis\"<blob>=") }.map { $0.dropFirst(17) }
        #expect(aliases.sorted() == ["\"anna@b.example\"", "\"guarded\"", "\"junk\"", "\"junk\""])
    }

    /// Certificates that cannot be read are none.
    @Test func commands_amongJunkAlone_findNothing() throws {
        try addJunk()
        #expect(try fixture.run("find-certificate").status == 44)
        #expect(try fixture.run("delete-certificate", "-c", "anna").status == 44)
        for command in [["find-certificate", "-a"], ["find-identity"]] {
            let result = try fixture.program(command).run()
            #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        }
    }

    /// Nobody is asked for a guarded one: it is named.
    @Test func commands_besideAGuardedOne_askNobody() throws {
        try addJunk()
        try add("guarded", isGuarded: true)
        try add("anna")
        let sentence = "security: the item \"guarded\" (app) is guarded, and left out\n"
        let all = try fixture.run("find-certificate", "-a")
        #expect(all.status == 0 && all.errors == sentence && printed(all) == 1, "\(all)")
        #expect(try fixture.run("find-certificate", "-c", "guarded").status == 44)
        let identities = try fixture.run("find-identity")
        #expect(identities.status == 0 && identities.errors.isEmpty && identities.output.contains("\"anna\""))
        let export = try fixture.run("export", "-t", "certs", "-f", "pemseq")
        #expect(export.status == 0 && export.errors == sentence && export.output.contains("BEGIN CERTIFICATE"))
        #expect(try fixture.run("delete-certificate", "-c", "anna").status == 0)
        #expect(try printed(fixture.run("dump-keychain")) == 3)
    }

    /// Nobody is asked for a guarded key. What its certificate alone tells is there.
    @Test func commands_onAnIdentityWithAGuardedKey_askNobody() throws {
        try add("anna")
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let keys = [kSecClass: kSecClassKey] as CFDictionary
        let calls = try calls("security")
        try calls.update(matching: keys, with: [kSecAttrAccessControl: control as Any] as CFDictionary)
        let identities = try fixture.run("find-identity")
        #expect(identities.status == 0 && identities.errors.isEmpty && identities.output.contains("\"anna\""))
        for kind in ["privKeys", "identities"] {
            let export = try fixture.run("export", "-t", kind, "-f", "pemseq")
            #expect(export.errors.contains(" is guarded, and left out\n"), "\(export)")
            #expect(!export.output.contains("PRIVATE KEY"))
        }
        let deleted = try fixture.run("delete-identity", "-c", "anna")
        #expect(deleted.status == 0 && deleted.errors.isEmpty, "\(deleted)")
        let left = Result { () throws(KeychainError) in try calls.copy(matching: keys) }
        guard case .failure(let error) = left, error.status == errSecItemNotFound else {
            Issue.record("a key is left")
            return
        }
    }
}
