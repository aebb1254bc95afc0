// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemSQLite
import SecItemSealing
import SecItemShim
import SecItemStore
import TestSupport
import Testing

/// The command on items that have a password of their own.
@Suite struct GuardedItemTests {
    private let fixture: CommandFixture

    /// An item that is not guarded between two that are, of two applications and under two passwords.
    init() throws {
        fixture = try CommandFixture()
        try add(to: "app.one", password: "first")
        try fixture.run("add-generic-password", "-s", "plain", "-a", "anna", "-w", "visible")
        try add(to: "app.two", password: "second")
    }

    private func add(to application: String, account: String = "anna", password: String) throws {
        let store = try SQLiteStore(
            location: StoreLocation(folder: fixture.folder.path + "/data/secitem"), cache: .none)
        let calls = KeychainCalls(
            store: store, application: ClientApplication(identifier: application), passwordCost: .lowest)
        let context = LAContext()
        context.setCredential(Data(password.utf8), type: .applicationPassword)
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: account,
            kSecValueData: Data("data of \(application)".utf8), kSecAttrAccessControl: control as Any,
            kSecUseAuthenticationContext: context,
        ]
        _ = try calls.add(item: item as CFDictionary)
    }

    private func name(_ application: String) -> String { "the item \"mail\" of \"anna\" (\(application))" }

    /// Answers the next question, which names the item.
    private func answer(_ text: String, number: Int, _ reason: String, on terminal: TerminalSession) throws {
        try terminal.waitFor("security asks for a password: \(reason)")
        let deadline = Date(timeIntervalSinceNow: 30)
        while terminal.screen.components(separatedBy: "Password of the item: ").count <= number {
            try #require(Date() < deadline, "\(terminal.screen)")
            usleep(2000)
        }
        try terminal.waitFor(echo: false)
        terminal.type(text)
    }

    /// Where nobody can be asked, every item is there, and what could not be read is named. That is no failure, as on a Mac.
    @Test func dump_whereNobodyCanBeAsked_leavesOutWhatIsGuarded() throws {
        var program = try fixture.program(["dump-keychain", "-d"])
        program.arguments = ["--wait", program.executable] + program.arguments
        program.executable = "setsid"
        let dump = try program.run()
        #expect(dump.status == 0)
        #expect(dump.lines.count { $0.hasPrefix("keychain: ") } == 3)
        #expect(dump.lines.count { $0 == "data:" } == 1 && dump.lines.contains("\"visible\""))
        let errors = dump.errors.split(separator: "\n")
        #expect(errors.count == 2, "\(dump)")
        for (line, application) in zip(errors, ["app.one", "app.two"]) {
            let beginning = "security: \(name(application)): SecKeychainItemCopyAttributesAndData: User interaction is"
            #expect(line.hasPrefix(beginning) && line.contains("the password of the item is needed"), "\(line)")
        }
        // Attributes alone need nobody.
        program.arguments.removeLast()
        let plain = try program.run()
        #expect(plain.errors.isEmpty && plain.lines == dump.lines.filter { $0 != "data:" && $0 != "\"visible\"" })
    }

    /// On a terminal each item is asked for by its name, and one that stays shut keeps no other from being read.
    @Test(arguments: [
        (["first\r", "second\r"], [nil, nil]), (["\u{3}", "second\r"], ["User canceled", nil]),
        (["first\r", "\u{4}"], [nil, "User canceled"]),
    ])
    func dump_onATerminal_asksForEach(_ answers: [String], _ failures: [String?]) throws {
        let terminal = try fixture.onTerminal("dump-keychain", "-d")
        let applications = ["app.one", "app.two"]
        for (number, application) in applications.enumerated() {
            try answer(answers[number], number: number + 1, "to read \(name(application))", on: terminal)
        }
        #expect(try terminal.waitUntilExit() == 0)
        let screen = terminal.screen
        #expect(screen.components(separatedBy: "keychain: ").count == 4 && screen.contains("\"visible\""))
        for (application, failure) in zip(applications, failures) {
            #expect(screen.contains("\"data of \(application)\"") == (failure == nil), "\(screen)")
            let message = screen.components(separatedBy: "security: \(name(application)): ").dropFirst().first
            #expect((message?.prefix { $0 != "\r\n" }.contains(failure ?? "") ?? false) == (failure != nil))
        }
    }

    @Test func findAndChange_nameTheItem() throws {
        let find = ["find-generic-password", "-s", "mail", "-w", "--access-group", "app.two"]
        var terminal = try TerminalSession(fixture.program(find))
        try answer("second\r", number: 1, "to read \(name("app.two"))", on: terminal)
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("data of app.two"))

        let change = ["add-generic-password", "-U", "-s", "mail", "-a", "anna", "--access-group", "app.two"]
        terminal = try TerminalSession(fixture.program(change + ["-X", "6e6577"]))
        try answer("second\r", number: 1, "to change \(name("app.two"))", on: terminal)
        #expect(try terminal.waitUntilExit() == 0)

        terminal = try TerminalSession(fixture.program(find))
        try answer("second\r", number: 1, "to read \(name("app.two"))", on: terminal)
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("\nnew\r"))

        terminal = try TerminalSession(fixture.program(find))
        try answer("\u{3}", number: 1, "to read \(name("app.two"))", on: terminal)
        #expect(try terminal.waitUntilExit() == 128)
    }

    /// An item's name cannot look like another question, or like what the command says.
    @Test(arguments: [
        ("anna\r\nPassword:\u{2028}\u{202e}x", "anna\\015\\012Password:\\342\\200\\250\\342\\200\\256x"),
        ("x\" (app.one), \\012", "x\\042 (app.one), \\134012"),
        ("x" + String(repeating: " \u{3000}", count: 80) + "Jürgen", "x Jürgen"),
        (String(repeating: "y", count: 60), String(repeating: "y", count: 60)),
        (String(repeating: "y", count: 5000), String(repeating: "y", count: 60) + "…"),
        (String(repeating: "\n", count: 16), String(repeating: "\\012", count: 15) + "…"),
    ])
    func question_isOneLine(_ account: String, _ shown: String) throws {
        try add(to: "app.three", account: account, password: "third")
        let terminal = try fixture.onTerminal(
            "find-generic-password", "-s", "mail", "-w", "--access-group", "app.three")
        let name = "the item \"mail\" of \"\(shown)\" (app.three)"
        try answer("third\r", number: 1, "to read \(name)\r\n", on: terminal)
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("data of app.three"))
    }

    /// The first that matches is found, whether it is guarded or not.
    @Test func find_ofWhatIsNotGuarded_asksNobody() throws {
        #expect(try fixture.run("find-generic-password", "-s", "plain", "-w").output == "visible\n")
        #expect(try fixture.run("find-generic-password", "-s", "none", "-w").status == 44)
    }
}
