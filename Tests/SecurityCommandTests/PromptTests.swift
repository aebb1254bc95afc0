// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Prompts on a terminal, and the state of the terminal afterwards.
@Suite struct PromptTests {
    @Test func newPassword_isAskedTwiceAndNotShown() throws {
        let fixture = try CommandFixture()
        let terminal = try fixture.onTerminal("add-generic-password", "-s", "s", "-a", "a", "-w")
        try terminal.waitFor("password data for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type("geheim\n")
        try terminal.waitFor("retype password for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type("geheim\n")
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.echoes)
        #expect(!terminal.screen.contains("geheim"))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "geheim\n")
    }

    /// A terminal keeps 4,095 bytes of a line, and discards the rest. A password that it may have cut is refused.
    @Test(arguments: [4_093, 4_094, 4_095, 4_096, 6_000]) func longPassword_isWholeOrRefused(_ count: Int) throws {
        let fixture = try CommandFixture()
        let terminal = try fixture.onTerminal("add-generic-password", "-s", "s", "-a", "a", "-w")
        let password = String(repeating: "x", count: count - 1) + "y"
        try terminal.waitFor("password data for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type(password + "\n")
        guard count < 4_095 else {
            #expect(try terminal.waitUntilExit() == 1)
            #expect(terminal.screen.contains("the password is too long for a terminal"))
            #expect(try fixture.run("find-generic-password", "-s", "s").status == 44)
            return
        }
        try terminal.waitFor("retype password for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type(password + "\n")
        #expect(try terminal.waitUntilExit() == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == password + "\n")
    }

    @Test func newPassword_differentSecondTime_addsNothing() throws {
        let fixture = try CommandFixture()
        let terminal = try fixture.onTerminal("add-generic-password", "-s", "s", "-a", "a", "-w")
        try terminal.waitFor("password data for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type("one\n")
        try terminal.waitFor("retype password for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type("two\n")
        #expect(try terminal.waitUntilExit() == 1)
        #expect(terminal.screen.contains("passwords don't match"))
        #expect(try fixture.run("find-generic-password", "-s", "s").status == 44)
    }

    /// If a signal ends the command during a prompt, the terminal shows typed text again, and nothing has changed.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGXCPU])
    func signalWhileAsking_leavesTerminalAndKeychain(_ signal: Int32) throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "before")
        let terminal = try fixture.onTerminal("add-generic-password", "-U", "-s", "s", "-a", "a", "-w")
        try terminal.waitFor("password data for new item: ")
        try terminal.waitFor(echo: false)
        if signal == SIGINT { terminal.type("\u{3}") } else { kill(terminal.processIdentifier, signal) }
        #expect(try terminal.waitUntilExit() == -signal)
        #expect(terminal.echoes)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "before\n")
    }

    /// If the command is stopped during a prompt, it restores the terminal. When it continues, it hides typed text
    /// again.
    @Test func stoppedWhileAsking_hidesAgain() throws {
        let fixture = try CommandFixture()
        let command = try fixture.program([]).executable
        var shell = Program("/bin/sh", ["-i"], environment: fixture.environment)
        shell.environment["PS1"] = "ready: "
        shell.environment["ENV"] = nil
        let terminal = try TerminalSession(shell)
        try terminal.waitFor("ready: ")
        terminal.type("'\(command)' add-generic-password -s s -a a -w && echo do''ne\n")
        try terminal.waitFor("password data for new item: ")
        var round = 0
        while round < 2 {
            try terminal.waitFor(echo: false)
            terminal.type("geh\u{1a}")
            try terminal.waitFor(echo: true)
            try terminal.waitFor("Stopped")
            terminal.type("fg\n")
            round += 1
            // The question comes again.
            try terminal.waitFor("password data for new item: ", times: round + 1)
        }
        try terminal.waitFor(echo: false)
        terminal.type("geheim\n")
        try terminal.waitFor("retype password for new item: ")
        try terminal.waitFor(echo: false)
        terminal.type("geheim\n")
        try terminal.waitFor(echo: true)
        while try fixture.run("find-generic-password", "-s", "s").status == 44 { usleep(10_000) }
        terminal.type("exit\n")
        _ = try terminal.waitUntilExit()
        #expect(!terminal.screen.contains("geheim"))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "geheim\n")
    }

    @Test func password_isReadFromInputWithoutTerminal() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", input: "piped\n").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "piped\n")
        #expect(try fixture.run("add-generic-password", "-s", "t", "-a", "a", "-w").status == 1)
        #expect(try fixture.run("find-generic-password", "-s", "t").status == 44)
    }

    /// Of several lines, the first one would be stored alone.
    @Test func severalLinesOfInput_areNoPassword() throws {
        let fixture = try CommandFixture()
        func add(_ input: String) throws -> FinishedProgram {
            try fixture.run("add-generic-password", "-U", "-s", "s", "-a", "a", "-w", input: input)
        }
        #expect(try add("old").status == 0)
        for input in ["S3CRET\nS3CRET2\n", "S3CRET\nS3CRET\nS3CRET\n", "S3CRET\n\n", "\nS3CRET", "S3CRET\nS3CRE"] {
            let result = try add(input)
            #expect(result.status == 1 && !result.errors.contains("S3CRE"), "\(input) \(result)")
            #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "old\n")
        }
        for (input, password) in [("one", "one"), ("two\n", "two"), ("same\nsame", "same"), ("both\nboth\n", "both")] {
            #expect(try add(input).status == 0)
            #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == password + "\n")
        }
        #expect(try fixture.run("create-keychain", "-P", "k", input: "a\nb\n").status == 1)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "k")))
    }

    @Test func passwordOnCommandLine_earnsAWarningOnATerminalAlone() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x").errors.isEmpty)
        let terminal = try fixture.onTerminal("add-generic-password", "-s", "t", "-a", "a", "-w", "geheim")
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("a password on the command line can be seen by others"))
        #expect(!terminal.screen.contains("geheim"))
    }

    @Test func interactiveMode_showsItsPromptOnATerminal() throws {
        let fixture = try CommandFixture()
        let terminal = try fixture.onTerminal("-p", "keychain? ")
        try terminal.waitFor("keychain? ")
        terminal.type("error -25300\n")
        try terminal.waitFor("could not be found in the keychain.")
        terminal.type("\u{4}")
        #expect(try terminal.waitUntilExit() == 0)
    }
}
