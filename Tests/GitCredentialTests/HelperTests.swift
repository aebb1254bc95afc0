// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

/// The helper as git runs it: one process per request, on an embedded store.
@Suite struct HelperTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The environment of a user without any other keychain about which the helper could warn.
    private var surroundings: [String: String] {
        [
            "HOME": folder.path, "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "SECITEM_STORE": "embedded",
            "SECITEM_DIRECTORY": folder.path + "/keychain",
        ]
    }

    private func helper(
        _ action: String, _ input: String = "", adding variables: [String: String] = [:]
    ) throws -> FinishedProgram {
        return try Program.built(
            "git-credential-keychain", [action], adding: surroundings.merging(variables) { $1 }
        ).run(input: input)
    }

    private let known = "protocol=https\nhost=example.com\n"
    private let whole = "protocol=https\nhost=example.com\nusername=anna\npassword=correct horse\n"

    @Test func getOfNothing_writesNothing_andMakesNoStore() throws {
        let found = try helper("get", known)
        #expect(found.status == 0 && found.output == "" && found.errors == "", "\(found)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/keychain"))
    }

    @Test func storedPassword_isThereForEveryLaterProcess_untilErased() throws {
        #expect(try helper("store", whole).description == "status 0: ")
        #expect(try helper("get", known).description == "status 0: username=anna\npassword=correct horse\n")
        #expect(try helper("get", known + "username=anna\n").output == "password=correct horse\n")
        #expect(try helper("get", known + "username=bob\n").output == "")
        #expect(try helper("erase", known + "username=anna\npassword=another\n").description == "status 0: ")
        #expect(try helper("get", known + "username=anna\n").output == "password=correct horse\n")
        #expect(try helper("erase", whole).description == "status 0: ")
        #expect(try helper("get", known).output == "")
    }

    /// gnome-keyring writes a keyring without a password to a text file, in which a secret is one line.
    @Test(
        .enabled(if: PrivateBus.isGnomeKeyring, "\(PrivateBus.reason)"),
        arguments: [PrivateBus.State.passwordless, .unlocked])
    func expiryAndToken_areKept_whenTheKeyringStartsAgain(_ state: PrivateBus.State) throws {
        let bus = try PrivateBus(state)
        let variables = bus.variables.merging(["SECITEM_STORE": "secret-service"]) { $1 }
        let password = "username=anna\npassword= \\p\\n \n"
        let lines = "password_expiry_utc=4102444800\noauth_refresh_token=[1]\\=x \n"
        let basic = "authtype=Bearer\ncredential= \\secret\n"
        let other = "protocol=https\nhost=other.example\n"
        #expect(try helper("store", known + password + lines, adding: variables).description == "status 0: ")
        #expect(
            try helper("store", "capability[]=authtype\n" + other + basic, adding: variables).description
                == "status 0: ")
        for _ in 0..<2 {
            #expect(try helper("get", known, adding: variables).description == "status 0: " + password + lines)
            #expect(
                try helper("get", "capability[]=authtype\n" + other, adding: variables).output
                    == "capability[]=authtype\n" + basic)
            try bus.run("restart", state == .unlocked ? "unlocked" : "locked")
        }
        // The next password has no other lines, and is stored as other programs expect it.
        let plain = "username=anna\npassword=plain\n"
        #expect(try helper("store", known + plain, adding: variables).description == "status 0: ")
        try bus.run("restart", state == .unlocked ? "unlocked" : "locked")
        #expect(try helper("get", known, adding: variables).description == "status 0: " + plain)
        #expect(try bus.tool("secret-tool", "lookup", "server", "example.com") == "plain")
    }

    /// The access group does not depend on the program's name or path, nor on settings for other programs.
    @Test func items_areTheSame_whateverTheProgramIsCalled() throws {
        #expect(try helper("store", whole, adding: ["SECITEM_APPLICATION_IDENTIFIER": "somebody"]).status == 0)
        let copy = folder.path + "/git-credential-other"
        let original = try Program.built("git-credential-keychain")
        try Program.copy(original.executable, to: copy)
        var program = original
        program.executable = copy
        program.arguments = ["get"]
        program.environment.merge(surroundings) { $1 }
        program.environment["SECITEM_ACCESS_GROUPS"] = "none,of,these"
        #expect(try program.run(input: known).output == "username=anna\npassword=correct horse\n")
    }

    /// The command that is documented for a Mac.
    @Test func commandLine_findsWhatGitHasStored_andTheOtherWayRound() throws {
        func security(_ arguments: String...) throws -> FinishedProgram {
            try Program.built("security", arguments, adding: surroundings).run()
        }
        #expect(try helper("store", whole).status == 0)
        #expect(try security("find-internet-password", "-s", "example.com", "-w").output == "correct horse\n")
        let added = try security(
            "add-internet-password", "-s", "example.org", "-a", "bob", "-r", "htps", "-w", "p", "--access-group",
            "git-credential-keychain")
        #expect(added.status == 0, "\(added)")
        let found = try helper("get", "protocol=https\nhost=example.org\n")
        #expect(found.output == "username=bob\npassword=p\n", "\(found)")
    }

    /// The link that `Scripts/install` makes beside the command line.
    @Test func linkToTheCommandLine_isTheHelper() throws {
        #expect(try helper("store", whole).status == 0)
        var program = Program(try linkToTheCommand(), ["get"])
        program.environment.merge(surroundings) { $1 }
        #expect(try program.run(input: known).output == "username=anna\npassword=correct horse\n")
    }

    /// No file of the keychain gets the number of a closed descriptor: what is meant for standard error would be written into it.
    @Test(
        .enabled(if: Self.canTrace, "strace is not there, or may not trace"),
        arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
    func closedDescriptors_areNotThoseOfFiles(_ closed: String) throws {
        #expect(try helper("store", whole).status == 0)
        let trace = folder.path + "/trace"
        for program in try [Program.built("git-credential-keychain").executable, linkToTheCommand()] {
            // Without standard input there is no request.
            let request = closed.contains("0<") ? "" : whole
            let script = "exec '\(program)' store \(closed)"
            var traced = Program("strace", ["-f", "-qq", "-e", "trace=openat", "-o", trace, "/bin/sh", "-c", script])
            traced.environment.merge(surroundings) { $1 }
            _ = try traced.run(input: request)
            let opened = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            let files = opened.filter { $0.contains("\"\(folder.path)/keychain") }
            let numbers = files.compactMap { $0.components(separatedBy: " = ").last.flatMap { Int($0) } }
            #expect(numbers.allSatisfy { $0 > 2 }, "\(files)")
            #expect(request.isEmpty || !numbers.isEmpty, "\(opened)")
            #expect(opened.filter { $0.contains("\"/dev/null\"") }.count >= closed.split(separator: " ").count)
        }
    }

    private static let canTrace = (try? Program("strace", ["-o", "/dev/null", "true"]).run().status) == 0

    private func linkToTheCommand() throws -> String {
        let link = folder.path + "/git-credential-keychain"
        if !FileManager.default.fileExists(atPath: link) {
            let command = try Program.built("security").executable
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: command)
        }
        return link
    }

    @Test func lockedKeychain_saysWhy_andWritesNothing() throws {
        let passphrase = folder.path + "/passphrase"
        try Data("open".utf8).write(to: URL(fileURLWithPath: passphrase))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passphrase)
        let settings = ["SECITEM_PASSPHRASE_FILE": passphrase, "SECITEM_KEY_CACHE": "none"]
        #expect(try helper("store", whole, adding: settings).description == "status 0: ")
        for (action, input) in [("get", known), ("store", whole + "oauth_refresh_token=t\n"), ("erase", known)] {
            let locked = try helper(action, input, adding: ["SECITEM_KEY_CACHE": "none"])
            #expect(locked.status == 1 && locked.output == "", "\(action): \(locked)")
            #expect(locked.errors.contains("git-credential-keychain: cannot "), "\(locked)")
            #expect(!locked.errors.contains("correct horse"))
        }
        #expect(try helper("get", known, adding: settings).output == "username=anna\npassword=correct horse\n")
    }

    @Test func keychainThatCannotBeAsked_saysWhy_andWritesNothing() throws {
        for variables in [["SECITEM_STORE": "nonsense"], ["SECITEM_DIRECTORY": "/dev/null/keychain"]] {
            for (action, input) in [("get", known), ("store", whole), ("erase", whole)] {
                let refused = try helper(action, input, adding: variables)
                // If there can be no store, there is nothing to find or erase.
                if variables["SECITEM_STORE"] == nil, action != "store", refused.status == 0 { continue }
                #expect(refused.status == 1 && refused.output == "" && refused.errors != "", "\(action): \(refused)")
            }
        }
    }

    @Test func outputThatCannotBeWritten_isAFailureInItsOwnWords() throws {
        #expect(try helper("store", whole).status == 0)
        let get = try Program.built("git-credential-keychain", ["get"], adding: surroundings)
        let full = try Program(
            "/bin/sh", ["-c", "'\(get.executable)' get >/dev/full"], environment: get.environment
        ).run(input: known)
        #expect(full.status == 1 && full.errors == "git-credential-keychain: the output cannot be written\n", "\(full)")
    }

    @Test func requestThatIsNoneOfGits_isRefusedWhole() throws {
        #expect(try helper("store", whole).status == 0)
        let wrong = [
            "nonsense\n", known + "password\n", "protocol=https\nhost=example.com:no\n",
            "protocol=https\nhost=example.com:65536\n", "protocol=https\nhost=example.com:0\n",
            "protocol=https\nhost=example.com:00\n", known + "username=a\0b\n",
            known + "wwwauth[]=" + String(repeating: "a", count: 65_525) + "\n",
        ]
        for request in wrong {
            for action in ["get", "store", "erase"] {
                let refused = try helper(action, request)
                #expect(refused.status == 1 && refused.output == "" && refused.errors != "", "\(action): \(refused)")
            }
        }
        #expect(try helper("get", known).output == "username=anna\npassword=correct horse\n")
    }

    @Test func whatIsNotForTheKeychain_isPassedOver() throws {
        for request in ["protocol=cert\nhost=\npath=/a\n", "protocol=ssh\nhost=example.com\n", ""] {
            #expect(try helper("get", request).description == "status 0: ")
        }
        #expect(try helper("store", "protocol=cert\nhost=\npassword=p\n").description == "status 0: ")
        #expect(try helper("later-operation", known).description == "status 0: ")
        let headers = (0..<50).map { "wwwauth[]=Basic realm=\"\($0)\"\nnew-key=\($0)\n" }.joined()
        #expect(try helper("store", "capability[]=state\n" + headers + whole).status == 0)
        #expect(try helper("get", headers + known).output == "username=anna\npassword=correct horse\n")
        // Lines after an empty line are not part of the request.
        #expect(try helper("get", known + "\nusername=bob\n").output == "username=anna\npassword=correct horse\n")
    }

    @Test func whatIsNotComplete_isNotStoredOrErased() throws {
        #expect(try helper("store", whole).status == 0)
        for request in ["", "protocol=https\n", "host=example.com\n"] {
            #expect(try helper("store", request + "username=u\npassword=p\n").status == 1)
            #expect(try helper("erase", request).status == 1)
        }
        #expect(try helper("store", known + "password=p\n").status == 1)
        #expect(try helper("store", known + "username=bob\n").status == 1)
        #expect(try helper("get", known).output == "username=anna\npassword=correct horse\n")
    }

    @Test func readyMadeCredential_isForAGitThatKnowsIt() throws {
        let capability = "capability[]=authtype\n"
        let credential = "authtype=Bearer\ncredential=token\n"
        #expect(try helper("capability").output == "version 0\ncapability authtype\n")
        #expect(try helper("store", capability + known + credential + "ephemeral=1\n").description == "status 0: ")
        #expect(try helper("get", capability + known).output == "")
        #expect(try helper("store", capability + known + credential).description == "status 0: ")
        #expect(try helper("get", capability + known).output == capability + credential)
        #expect(try helper("get", known).output == "")
        #expect(try helper("erase", known + "password=token\n").status == 0)
        #expect(try helper("get", capability + known).output == capability + credential)
        #expect(try helper("erase", capability + known + credential).status == 0)
        #expect(try helper("get", capability + known).output == "")
    }

    /// Two helpers at the same time make, change and delete the same item. None fails, and one item is left.
    @Test func helpersAtOnce_leaveOneItem() throws {
        let running = try (0..<8).map { number in
            let program = try Program.built(
                "git-credential-keychain", [number % 4 == 3 ? "erase" : "store"], adding: surroundings
            ).start()
            program.write(known + "username=anna\npassword=\(number)\n")
            return program
        }
        for program in running {
            let finished = try program.waitUntilExit()
            #expect(finished.description == "status 0: ")
        }
        #expect(try helper("store", whole).status == 0)
        #expect(try helper("get", known).output == "username=anna\npassword=correct horse\n")
        #expect(try helper("erase", whole).status == 0)
        #expect(try helper("get", known).output == "")
    }

    @Test func manual_namesEveryOperation() throws {
        let help = try helper("--help").output
        for word in ["get", "store", "erase", "capability"] { #expect(help.contains("\n    \(word)\n")) }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try helper("--manual").output.hasPrefix(".TH GIT"))
        #expect(try helper("--nonsense").status == 2)
        #expect(try Program.built("git-credential-keychain").run().status == 2)
    }
}
