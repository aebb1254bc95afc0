// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `set-keychain-password` on an embedded store that programs use.
@Suite struct ProgramKeychainPasswordTests {
    private let fixture: CommandFixture
    private var passphraseFile: String { fixture.folder.path + "/passphrase" }

    init() throws {
        fixture = try CommandFixture()
        try "new\n".write(toFile: passphraseFile, atomically: false, encoding: .utf8)
        chmod(passphraseFile, 0o600)
    }

    /// The keychain's item, as a program with that configuration finds it.
    private func find(_ variables: [String: String] = [:]) throws -> FinishedProgram {
        var program = fixture
        program.environment.merge(variables) { $1 }
        program.environment["SECITEM_KEY_CACHE"] = "none"
        return try program.run("find-generic-password", "-s", "s", "-w")
    }

    private var withFile: [String: String] { ["SECITEM_PASSPHRASE_FILE": passphraseFile] }

    @Test(arguments: ["login.keychain", "embedded", "embedded:FOLDER", "PATH", ""])
    func keychainOfPrograms_getsAPasswordAndLosesIt(_ name: String) throws {
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "item")
        let folder = fixture.folder.path + "/data/secitem"
        let name = name.replacingOccurrences(of: "FOLDER", with: folder).replacingOccurrences(of: "PATH", with: folder)
        let keychain = name.isEmpty ? [] : [name]
        func set(_ options: String...) throws -> FinishedProgram {
            try fixture.program(["set-keychain-password"] + options + keychain).run()
        }
        #expect(try set("-o", "wrong", "-p", "new").status == 51)
        #expect(try set("-o", "", "-p", "").errors.contains("the password is empty"))
        #expect(try find().output == "item\n")
        var end = try set("-o", "", "-p", "new")
        #expect(end.status == 0 && end.errors.contains("need the password from now on"), "\(end)")
        #expect(try find().status == 36)
        #expect(try find(withFile).output == "item\n")
        #expect(try set("-o", "", "-p", "other").status == 51)
        #expect(try set("-o", "wrong", "--remove").status == 51)
        #expect(try set("-o", "new", "-p", "other").status == 0)
        #expect(try find(withFile).status == 51)
        end = try set("-o", "other", "--remove")
        #expect(end.status == 0 && end.errors.contains("\(folder) has no password"), "\(end)")
        #expect(try find().output == "item\n")
        // Where one is configured, nothing is read without one.
        end = try find(withFile)
        #expect(end.status == 53 && end.errors.contains("security set-keychain-password"), "\(end)")
    }

    @Test func passphraseFileThatIsMissing_isNamed() throws {
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "item")
        let missing = fixture.folder.path + "/missing"
        let end = try find(["SECITEM_PASSPHRASE_FILE": missing])
        #expect(end.status == 53, "\(end)")
        #expect(end.errors.contains("the passphrase file \(missing): No such file or directory"), "\(end)")
        var doctor = fixture
        doctor.environment["SECITEM_PASSPHRASE_FILE"] = missing
        #expect(try doctor.run("doctor").output.contains("the passphrase file \(missing): No such file"))
    }

    @Test func whatIsNoSuchKeychain_isRefused() throws {
        #expect(try fixture.run("set-keychain-password", "-p", "new", "login.keychain").status == 50)
        #expect(
            try fixture.run("set-keychain-password", "-p", "new", "embedded:\(fixture.folder.path)/none").status == 50)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/none"))
        try fixture.makeKeychain("k")
        #expect(try fixture.run("set-keychain-password", "-o", "pw", "--remove", "k").status == 2)
        let path = "embedded:" + fixture.path(of: "k")
        #expect(try fixture.run("set-keychain-password", "-o", "pw", "--remove", path).status == 2)
    }
}
