// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import TestSupport
import Testing

/// A module that has passwords in a file, of the package libpam-wrapper.
private let pamMatrix: String? = {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
    return folders.map { $0 + "/pam_wrapper/pam_matrix.so" }.first(where: FileManager.default.fileExists)
}()

/// The questions for passwords of items.
private let new = "New password of the item: "
private let again = "The same password again: "
private let existing = "Password of the item: "

/// The longest password that a terminal takes, and one that is longer than the terminal's own buffer.
private let longest = String(repeating: "p", count: 511)
private let tooLong = String(repeating: "p", count: 3000)

/// PAM asks on a terminal: with its own modules, and a password of the test's.
@Suite(.enabled(if: pamMatrix != nil, "pam_matrix of libpam-wrapper is not there"))
struct TerminalTests {
    private let rules: TemporaryFolder

    init() throws {
        rules = try TemporaryFolder()
        let module = try #require(pamMatrix)
        let passwords = rules.url.appendingPathComponent("passwords").path
        let user = try Program("id", ["-nur"]).output().trimmingCharacters(in: .whitespacesAndNewlines)
        try Data("\(user):correct horse:secitem\n".utf8).write(to: URL(fileURLWithPath: passwords))
        try write("auth required \(module) passdb=\(passwords)\naccount required \(module) passdb=\(passwords)\n")
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: rules.url.appendingPathComponent("secitem"))
    }

    private func program(_ task: String) throws -> Program { try .built("PresenceProbe", [rules.url.path, task]) }

    /// The question, with the reason, from which nothing steers the terminal; the password is not shown.
    @Test func password_thatIsRight_proves() throws {
        let session = try TerminalSession(program("prove"))
        try session.waitFor("to open the [31mnote")
        try session.waitFor("assword: ")
        #expect(!session.screen.contains("\u{1b}"))
        try session.waitFor(echo: false)
        session.type("wrong word\u{17}\u{17}correct horsf\u{7f}e\r")
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("proven") && !session.screen.contains("not proven"))
        #expect(!session.screen.contains("correct"))
        #expect(session.echoes)
    }

    @Test func password_thatIsWrong_mayBeTypedThreeTimes() throws {
        let session = try TerminalSession(program("prove"))
        try type("wrong\r", threeTimesInto: session)
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven: \(LAError.Code.authenticationFailed.rawValue)"))
    }

    /// A password is never cut: one that is too long is another one.
    @Test func password_thatIsTooLong_isRefused() throws {
        let session = try TerminalSession(program("prove"))
        try type(String(repeating: "x", count: 512) + "\r", threeTimesInto: session)
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.components(separatedBy: "The password is too long").count == 4, "\(session.screen)")
        #expect(session.screen.contains("not proven: \(LAError.Code.authenticationFailed.rawValue)"))
    }

    /// The longest password that PAM takes.
    @Test func password_ofTheGreatestLength_isWhole() throws {
        let longest = String(repeating: "x", count: 510) + "y"
        let user = try Program("id", ["-nur"]).output().trimmingCharacters(in: .whitespacesAndNewlines)
        try Data("\(user):\(longest):secitem\n".utf8).write(to: rules.url.appendingPathComponent("passwords"))
        for typed in [longest, longest.dropLast() + "x"] {
            let session = try TerminalSession(program("prove"))
            try session.waitFor(echo: false)
            session.type(typed + "\r")
            if typed == longest {
                try #expect(session.waitUntilExit() == 0)
                #expect(session.screen.contains("proven") && !session.screen.contains("not proven"))
            } else {
                try session.waitFor("assword: ", times: 2)
                #expect(!session.screen.contains("too long"))
            }
        }
    }

    /// PAM would take what is before a zero byte for the password.
    @Test func password_withAZeroByte_isRefused() throws {
        let session = try TerminalSession(program("prove"))
        try type("correct horse\0x\r", threeTimesInto: session)
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.components(separatedBy: "The password has a zero byte").count == 4, "\(session.screen)")
        #expect(session.screen.contains("not proven: \(LAError.Code.authenticationFailed.rawValue)"))
    }

    /// Rules may refuse a user without a question: nobody has typed anything that was not right.
    @Test(arguments: [
        "auth required pam_deny.so\naccount required pam_permit.so",
        "auth optional pam_echo.so Closed\nauth required pam_deny.so\naccount required pam_permit.so",
        "auth required pam_permit.so\naccount required pam_deny.so",
    ])
    func rulesThatRefuse_areNotToldAsASlip(_ text: String) throws {
        try write("-auth optional pam_not_there.so\n\(text)\n")
        let session = try TerminalSession(program("prove"))
        try #expect(session.waitUntilExit() == 0)
        #expect(!session.screen.contains("not right"), "\(session.screen)")
        #expect(session.screen.contains("not proven: \(LAError.Code.authenticationFailed.rawValue)"))
        #expect(session.screen.contains("refuses the user without asking"), "\(session.screen)")
        #expect(session.screen.contains(rules.url.appendingPathComponent("secitem").path))
    }

    /// An administrator reads which file to change, and that there is none.
    @Test func rulesOfOther_thatRefuse_areNamed() throws {
        try FileManager.default.removeItem(at: rules.url.appendingPathComponent("secitem"))
        try Data("auth required pam_not_there.so\naccount required pam_permit.so\n".utf8)
            .write(to: rules.url.appendingPathComponent("other"))
        let session = try TerminalSession(program("prove-twice"))
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.components(separatedBy: "not proven").count == 3)
        #expect(session.screen.components(separatedBy: "without asking").count == 2, "\(session.screen)")
        #expect(session.screen.contains("/etc/pam.d/secitem") && session.screen.contains("rules of other"))
        // What PAM says about it.
        #expect(session.screen.contains("Module is unknown"), "\(session.screen)")
    }

    /// Where a machine has no rules for this service, those of `other` often refuse everybody. A policy that cannot succeed is
    /// not offered, and the log says which file is missing.
    @Test(arguments: ["other", "secitem"]) func rulesThatRefuseEverybody_areKnownInAdvance(_ file: String) throws {
        try FileManager.default.removeItem(at: rules.url.appendingPathComponent("secitem"))
        try Data("auth required pam_warn.so\nauth required pam_deny.so\naccount required pam_deny.so\n".utf8)
            .write(to: rules.url.appendingPathComponent(file))
        for (task, answer) in [("can", "2: no"), ("prove", "not proven")] {
            let session = try TerminalSession(program(task))
            try #expect(session.waitUntilExit() == 0)
            let code = LAError.Code.notInteractive.rawValue
            #expect(
                session.screen.contains(task == "can" ? "\(answer), \(code)" : "\(answer): \(code)"),
                "\(session.screen)")
            let path = file == "other" ? "/etc/pam.d/secitem" : rules.url.appendingPathComponent(file).path
            #expect(session.screen.contains("refuse everybody") && session.screen.contains(path))
            #expect(!session.screen.contains("wants to know"))
        }
    }

    @Test(arguments: ["\u{3}", "\u{4}", "\u{1c}"])
    func question_thatIsDismissed_provesNothing(_ key: String) throws {
        let session = try TerminalSession(program("prove"))
        try session.waitFor(echo: false)
        session.type("corr\(key == "\u{4}" ? "\u{15}" : "")" + key)
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven: \(LAError.Code.userCancel.rawValue)"))
        #expect(session.echoes)
    }

    /// Whoever types next sees it, and the shell knows of what the program died.
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGALRM, SIGUSR1, SIGUSR2])
    func signal_thatEndsTheProcess_leavesTheTerminalAsItWas(_ number: CInt) throws {
        let session = try TerminalSession(program("prove"))
        let before = session.modesAtStart
        try session.waitFor(echo: false)
        kill(session.processIdentifier, number)
        try #expect(session.waitUntilExit() == -number)
        #expect(session.modes == before)
    }

    /// Whoever answers as soon as the question is there is neither seen nor unheard.
    @Test func answer_thatComesAtOnce_isHiddenAndRead() throws {
        for _ in 0..<10 {
            let session = try TerminalSession(program("prove"))
            try session.waitFor("assword: ")
            session.type("correct horse\r")
            try #expect(session.waitUntilExit() == 0)
            #expect(session.screen.contains("proven") && !session.screen.contains("not proven"))
            #expect(!session.screen.contains("correct"), "\(session.screen)")
        }
    }

    /// Another thread of the program may call `exit` meanwhile.
    @Test func programThatExits_leavesTheTerminalAsItWas() throws {
        let session = try TerminalSession(program("prove-until-exit"))
        let before = session.modesAtStart
        try #expect(session.waitUntilExit() == 7)
        #expect(session.modes == before)
    }

    /// A terminal that takes no output does not hold a call whose context ends.
    @Test func terminalThatTakesNoOutput_doesNotHoldTheCall() throws {
        let session = try TerminalSession(program("prove-without-output"))
        try session.waitFor("not proven: \(LAError.Code.appCancel.rawValue)")
        try #expect(session.waitUntilExit() == 0)
    }

    /// The program may have chosen to get bytes only in blocks. The answer ends with its line all the same.
    @Test func terminalThatReadsBlocks_givesTheAnswer() throws {
        let session = try TerminalSession(program("prove-in-blocks"))
        try session.waitFor("assword: ")
        session.type("correct horse\r")
        try session.waitFor("proven")
        try #expect(session.waitUntilExit() == 0)
        #expect(!session.screen.contains("not proven"))
    }

    /// The program of an interactive shell, and its group.
    private func proving(in session: TerminalSession, after shell: pid_t) throws -> pid_t {
        try session.waitFor(echo: false)
        return try session.waitForOtherGroup(than: shell)
    }

    private func shell() throws -> TerminalSession {
        let probe = try program("prove")
        var shell = Program("/bin/sh", ["-i"], environment: probe.environment)
        shell.environment["PS1"] = "ready: "
        shell.environment["ENV"] = nil
        let session = try TerminalSession(shell)
        try session.waitFor("ready: ")
        let command = ([probe.executable] + probe.arguments).map { "'\($0)'" }.joined(separator: " ")
        session.type("\(command)\n")
        return session
    }

    /// Whoever types while the program is stopped sees it. When it goes on, it hides what is typed, also if the shell has
    /// changed the modes meanwhile.
    @Test(arguments: [SIGTSTP, SIGSTOP]) func signal_thatStopsTheProcess_showsAndHidesAgain(_ number: CInt) throws {
        let session = try shell()
        let before = session.modesAtStart
        let group = try proving(in: session, after: session.processIdentifier)
        let hidden = session.modes
        for round in 1...3 {
            kill(-group, number)
            try session.waitFor("Stopped", times: round)
            // Nothing can restore the modes before this signal.
            if number == SIGSTOP { session.modes = before }
            #expect(session.modes == before)
            session.type("fg\n")
            try session.waitFor(echo: false)
            #expect(session.modes == hidden)
        }
        session.type("correct horse\r")
        try session.waitFor("proven")
        #expect(session.screen.contains("proven") && !session.screen.contains("not proven"))
        #expect(!session.screen.contains("correct"))
        try session.waitFor(echo: true)
        #expect(session.modes == before)
        session.type("exit\n")
        _ = try session.waitUntilExit()
    }

    /// Ctrl-Z stops the program, as at any other question. What was typed before is forgotten, and the question comes again.
    @Test func controlZ_stopsTheProgram() throws {
        let session = try shell()
        let before = session.modesAtStart
        _ = try proving(in: session, after: session.processIdentifier)
        for round in 1...3 {
            session.type("secret\u{1a}")
            try session.waitFor("Stopped", times: round)
            #expect(session.modes == before)
            session.type("fg\n")
            try session.waitFor("assword: ", times: round + 1)
            try session.waitFor(echo: false)
        }
        session.type("correct horse\r")
        try session.waitFor("proven")
        #expect(!session.screen.contains("not proven") && !session.screen.contains("secret"), "\(session.screen)")
        try session.waitFor(echo: true)
        #expect(session.modes == before)
        session.type("exit\n")
        _ = try session.waitUntilExit()
    }

    /// The log says why nobody can be asked: the person types for another program.
    @Test func programInTheBackground_saysSo() throws {
        let probe = try program("prove")
        let command = ([probe.executable] + probe.arguments).map { "'\($0)'" }.joined(separator: " ")
        let session = try TerminalSession(
            Program("/bin/sh", ["-c", "set -m; \(command) & wait"], environment: probe.environment))
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven"), "\(session.screen)")
        #expect(session.screen.contains("in the background of its terminal"), "\(session.screen)")
    }

    /// Two processes of one job ask one after another. Otherwise each would get parts of the answers, and the first one to end
    /// would show what is typed for the other one.
    @Test func twoProcesses_askOneAfterAnother() throws {
        let probe = try program("prove")
        let command = ([probe.executable] + probe.arguments).map { "'\($0)'" }.joined(separator: " ")
        let session = try TerminalSession(
            Program("/bin/sh", ["-c", "\(command) & \(command); wait"], environment: probe.environment))
        let before = session.modesAtStart
        for round in 1...2 {
            try session.waitFor("assword: ", times: round)
            // Time for the other one to come by.
            usleep(1_000_000)
            #expect(questions(in: session) == round && !session.echoes, "\(session.screen)")
            session.type("correct horse\r")
            try session.waitFor("proven", times: round)
        }
        try #expect(session.waitUntilExit() == 0)
        #expect(!session.screen.contains("not proven") && !session.screen.contains("correct"), "\(session.screen)")
        #expect(session.modes == before)
    }

    /// One that is killed leaves the turn to the next one, also if a child of it goes on.
    @Test func processThatIsKilled_leavesTheTurn() throws {
        let probe = try program("prove-beside-child")
        let command = ([probe.executable] + probe.arguments).map { "'\($0)'" }.joined(separator: " ")
        let flag = rules.url.appendingPathComponent("flag").path
        let script = "\(command) & while [ ! -e '\(flag)' ]; do sleep 0.1; done; kill -KILL $!; \(command)"
        let session = try TerminalSession(Program("/bin/sh", ["-c", script], environment: probe.environment))
        try session.waitFor("assword: ")
        try session.waitFor("child is there")
        try Data().write(to: URL(fileURLWithPath: flag))
        try session.waitFor("assword: ", times: 2)
        try session.waitFor(echo: false)
        session.type("correct horse\r")
        try session.waitFor("proven")
        #expect(!session.screen.contains("not proven") && !session.screen.contains("correct"), "\(session.screen)")
    }

    /// Nobody could let such a program go on, so the system does not stop it.
    @Test func signalThatStops_withoutAShell_changesNothing() throws {
        let session = try TerminalSession(program("prove"))
        let before = session.modesAtStart
        try session.waitFor(echo: false)
        // The question comes again after each of them, and the answer after the last one counts.
        for round in 1...20 {
            kill(session.processIdentifier, SIGTSTP)
            try session.waitFor("assword: ", times: round + 1)
        }
        session.type("correct horse\r")
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("proven") && !session.screen.contains("not proven"))
        #expect(!session.screen.contains("correct"))
        #expect(session.modes == before)
    }

    /// The questions of two threads come one after another, and the last one restores the modes.
    @Test(arguments: ["correct horse\r", "\u{3}"]) func twoThreads_askOneAfterAnother(_ answer: String) throws {
        let session = try TerminalSession(program("prove-in-two-threads"))
        let before = session.modesAtStart
        for round in 1...2 {
            try session.waitFor("assword: ", times: round)
            try session.waitFor(echo: false)
            session.type(answer)
            try session.waitFor("proven", times: round)
        }
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven") == (answer == "\u{3}"))
        #expect(session.screen.contains("to open one") && session.screen.contains("to open two"))
        #expect(session.modes == before)
    }

    @Test func invalidContext_takesTheQuestionBack() throws {
        let session = try TerminalSession(program("prove-until-told"))
        try session.waitFor(echo: false)
        kill(session.processIdentifier, SIGUSR1)
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven: \(LAError.Code.appCancel.rawValue)"))
        #expect(session.echoes)
    }

    /// A new password is typed twice, and a context keeps it; without a context it is typed for each call. Who types none, or
    /// two that differ, is told, and has three tries.
    @Test(arguments: [
        (
            [(new, "pass word"), (again, "pass word"), (existing, "pass word")],
            ["added: 0", "read: 0", "read again: 0"]
        ),
        (
            [
                (new, "pass word"), (again, "pass word"), (existing, "wrong"), (existing, "wrong"),
                (existing, "pass word"),
            ],
            ["added: 0", "read: 0", "That password is wrong. Try again.", "read again: 0"]
        ),
        (
            [(new, "pass word"), (again, "pass word"), (existing, "1"), (existing, "2"), (existing, "3")],
            ["added: 0", "read: 0", "That password is wrong.", "read again: -25293"]
        ),
        (
            [
                (new, tooLong), (new, longest), (again, longest), (existing, longest + "x"), (existing, longest + "y"),
                (existing, longest),
            ],
            [
                "The password is too long: a terminal takes at most 511 bytes. Try again.", "added: 0", "read: 0",
                "read again: 0",
            ]
        ),
        (
            [(new, "pass word"), (again, "pass word"), (existing, "\u{3}")],
            ["added: 0", "read: 0", "read again: -128"]
        ),
        (
            [
                (new, "pass word"), (again, "passw ord"), (new, ""), (new, "pass word"), (again, "pass word"),
                (existing, ""), (existing, ""), (existing, ""),
            ],
            [
                "The two passwords differ. Try again.", "No password was typed. Try again.", "added: 0", "read: 0",
                "No password was typed.", "read again: -25293",
            ]
        ),
        (
            [(new, "one"), (again, "two"), (new, "one"), (again, ""), (new, "one"), (again, "three")],
            ["The two passwords differ. Try again.", "The two passwords differ.", "added: -25293", "read: -25300"]
        ),
        (
            [(new, ""), (new, ""), (new, "")],
            ["No password was typed. Try again.", "No password was typed.", "added: -25293", "read: -25300"]
        ),
        ([(new, "\u{3}")], ["added: -128", "read: -25300"]),
        ([(new, "one"), (again, "two"), (new, "\u{4}")], ["added: -128", "read: -25300"]),
    ])
    func passwordOfAnItem_isTyped(_ typed: [(String, String)], _ expected: [String]) throws {
        let folder = try TemporaryFolder()
        let session = try TerminalSession(addingItem(to: folder))
        try type(typed, into: session)
        try #expect(session.waitUntilExit() == 0)
        for line in expected { #expect(session.screen.contains(line + "\r"), "\(session.screen)") }
        #expect(!session.screen.contains("pass word"))
    }

    /// No new password is asked for where the item is there already, or the store cannot be opened.
    @Test func newPassword_isNotTypedInVain() throws {
        let folder = try TemporaryFolder()
        let first = try TerminalSession(addingItem(to: folder))
        try type([(new, "one"), (again, "one"), (existing, "\u{3}")], into: first)
        try #expect(first.waitUntilExit() == 0)
        let second = try TerminalSession(addingItem(to: folder))
        try type([(existing, "\u{3}"), (existing, "\u{3}")], into: second)
        try #expect(second.waitUntilExit() == 0)
        #expect(second.screen.contains("added: -25299\r") && !second.screen.contains(new), "\(second.screen)")
        let closed = try TerminalSession(addingItem(to: folder, store: "no-such-store"))
        try #expect(closed.waitUntilExit() == 0)
        #expect(closed.screen.contains("added: -25291\r") && !closed.screen.contains("assword"), "\(closed.screen)")
    }

    private func addingItem(to folder: TemporaryFolder, store: String = "embedded") throws -> Program {
        try Program.built(
            "PresenceProbe", [rules.url.path, "add-item"],
            adding: ["SECITEM_STORE": store, "SECITEM_DIRECTORY": folder.url.path])
    }

    /// Answers each question when it is put.
    private func type(_ answers: [(question: String, text: String)], into session: TerminalSession) throws {
        for (number, answer) in answers.enumerated() {
            let deadline = Date(timeIntervalSinceNow: 60)
            while session.screen.components(separatedBy: " password again: ").count
                + session.screen.lowercased().components(separatedBy: "password of the item: ").count - 2 <= number
            {
                try #require(Date() < deadline, "\(session.screen)")
                usleep(2000)
            }
            #expect(session.screen.hasSuffix(answer.question), "\(session.screen)")
            try session.waitFor(echo: false)
            session.type(["\u{3}", "\u{4}"].contains(answer.text) ? answer.text : answer.text + "\r")
        }
    }

    /// What was proven to a context is not asked for again.
    @Test func context_asksOnce() throws {
        let session = try TerminalSession(program("prove-twice"))
        try session.waitFor(echo: false)
        session.type("correct horse\r")
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.components(separatedBy: "proven").count == 3)
        #expect(session.screen.components(separatedBy: "to open").count == 2)
    }

    /// Whoever comes by while the question is open gets its answer. A late one asks again.
    @Test func eightThreads_askTogether() throws {
        let session = try TerminalSession(program("prove-eight-times"))
        var answered = 0
        let deadline = Date(timeIntervalSinceNow: 60)
        while session.screen.components(separatedBy: "proven").count < 9 {
            try #require(Date() < deadline, "\(session.screen)")
            guard questions(in: session) > answered else {
                usleep(2000)
                continue
            }
            try session.waitFor(echo: false)
            // Time for the others to come by.
            usleep(500_000)
            session.type("correct horse\r")
            answered += 1
        }
        try #expect(session.waitUntilExit() == 0)
        #expect(answered < 8)
    }

    /// An account that has expired proves nothing, whatever the password. Nobody is asked again: the password was right.
    @Test func account_thatIsNotInOrder_provesNothing() throws {
        let passwords = rules.url.appendingPathComponent("passwords").path
        try write("auth required \(pamMatrix ?? "") passdb=\(passwords)\naccount required pam_deny.so\n")
        let session = try TerminalSession(program("prove"))
        try session.waitFor(echo: false)
        session.type("correct horse\r")
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven: \(LAError.Code.authenticationFailed.rawValue)"))
        #expect(session.screen.contains("You were recognised, but this account may not be used now.\r"))
        #expect(!session.screen.contains("not right") && questions(in: session) == 1, "\(session.screen)")
        #expect(session.screen.contains(rules.url.appendingPathComponent("secitem").path))
    }

    /// Rules that let everybody pass have found out nothing about who is there, whatever they say meanwhile.
    @Test(arguments: ["", "auth optional pam_echo.so Welcome\n"])
    func rulesThatAskNothing_proveNothing(_ more: String) throws {
        // One that might ask, if it were there.
        try write(
            "-auth optional pam_not_there.so\n\(more)auth required pam_permit.so\naccount required pam_permit.so\n")
        let session = try TerminalSession(program("prove"))
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("not proven: \(LAError.Code.notInteractive.rawValue)"), "\(session.screen)")
        #expect(session.screen.contains("without asking, which proves nothing"))
        #expect(session.screen.contains(rules.url.appendingPathComponent("secitem").path))
    }

    /// Where PAM's rules may read a finger. What PAM says about the account comes after the proof, and is none.
    @Test func messageAboutTheAccount_isNoFinger() throws {
        let passwords = rules.url.appendingPathComponent("passwords").path
        let account = "account optional pam_echo.so Your password will expire\naccount required pam_permit.so\n"
        let finger = "-auth optional pam_fprintd.so\n"
        try write("\(finger)auth required \(pamMatrix ?? "") passdb=\(passwords)\n\(account)")
        let session = try TerminalSession(program("prove-password"))
        try session.waitFor(echo: false)
        session.type("correct horse\r")
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("will expire") && !session.screen.contains("That was a finger"))
        #expect(session.screen.contains("proven") && !session.screen.contains("not proven"), "\(session.screen)")
        try write("\(finger)auth required pam_permit.so\n\(account)")
        let other = try TerminalSession(program("prove"))
        try #expect(other.waitUntilExit() == 0)
        #expect(other.screen.contains("not proven: \(LAError.Code.notInteractive.rawValue)"), "\(other.screen)")
    }

    private func questions(in session: TerminalSession) -> Int {
        session.screen.components(separatedBy: "assword: ").count - 1
    }

    private func type(_ answer: String, threeTimesInto session: TerminalSession) throws {
        for question in 1...3 {
            let deadline = Date(timeIntervalSinceNow: 30)
            while questions(in: session) < question {
                try #require(Date() < deadline, "\(session.screen)")
                usleep(2000)
            }
            try session.waitFor(echo: false)
            session.type(answer)
        }
    }

    @Test func terminal_canBeAsked_biometryCannot() throws {
        let session = try TerminalSession(program("can"))
        try #expect(session.waitUntilExit() == 0)
        #expect(session.screen.contains("2: yes"))
        #expect(session.screen.contains("1: no, \(LAError.Code.biometryNotAvailable.rawValue)"))
    }

    /// And the log says, once, what is missing.
    @Test func withoutATerminal_nobodyIsAsked() throws {
        for task in ["can", "prove", "prove-twice"] {
            var program = try program(task)
            program.arguments = ["--wait", program.executable] + program.arguments
            program.executable = "setsid"
            let finished = try program.run()
            #expect(finished.status == 0)
            #expect(finished.output.contains("\(LAError.Code.notInteractive.rawValue)"), "\(finished)")
            let lines = finished.errors.split(separator: "\n").filter { $0.contains("nobody can be asked") }
            #expect(lines.allSatisfy { $0.contains("notice") && $0.contains("reason=") }, "\(finished)")
            // What is missing on the terminal, and what on the desktop.
            #expect(lines.count == 2 && lines.count { $0.contains("has no terminal") } == 1, "\(finished)")
        }
    }
}
