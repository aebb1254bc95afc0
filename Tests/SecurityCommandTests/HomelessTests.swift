// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The command in a container: `SECITEM_DIRECTORY` says where the keychain is, and there is no folder for anything else.
@Suite struct HomelessTests {
    private var fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
        for variable in ["SECITEM_STORE", "XDG_DATA_HOME", "XDG_STATE_HOME"] { fixture.environment[variable] = nil }
        fixture.environment["SECITEM_DIRECTORY"] = fixture.folder.path + "/keychain"
        // As a container's runtime sets it for a user without a name.
        fixture.environment["HOME"] = "/"
    }

    @Test func commandsWorkOnTheKeychainOfPrograms() throws {
        for line in [
            ["add-generic-password", "-s", "s", "-a", "a", "-w", "item"], ["find-generic-password", "-s", "s"],
            ["find-generic-password", "-s", "s", "login.keychain"], ["dump-keychain"], ["list-keychains"],
            ["default-keychain"], ["login-keychain"], ["show-keychain-info"], ["check"], ["doctor"],
            ["check", "--keychain", "login.keychain"], ["set-keychain-password", "-o", "", "-p", "new"],
            ["unlock-keychain", "-p", "new"], ["lock-keychain"],
            ["set-keychain-password", "-o", "new", "--remove", "login.keychain"],
            ["delete-generic-password", "-s", "s"],
        ] {
            let end = try fixture.program(line).run()
            #expect(end.status == 0, "\(line): \(end)")
        }
        #expect(try fixture.golden("list-keychains") == "    \"HOME/keychain\"\n")
    }

    /// What needs the folder says how to have one.
    @Test func namesOfKeychains_needAFolder() throws {
        for line in [
            ["create-keychain", "-p", "pw", "k"], ["find-generic-password", "-s", "s", "k"],
            ["default-keychain", "-s", "login.keychain"], ["check", "--keychain", "k"],
        ] {
            let end = try fixture.program(line).run()
            #expect(end.status == 53 && end.errors.contains("XDG_DATA_HOME"), "\(line): \(end)")
            #expect(!end.errors.contains("SECITEM_DIRECTORY"), "\(line): \(end)")
        }
        // A database needs none.
        let end = try fixture.run("set-keychain-password", "-p", "new", "postgresql:k")
        #expect(end.status != 0 && !end.errors.contains("XDG_DATA_HOME"), "\(end)")
    }
}
