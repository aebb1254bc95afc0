// SPDX-License-Identifier: Apache-2.0

#if Polkit || Desktop
    import Foundation
    import LocalAuthentication
    import Testing

    /// The real polkitd asks an agent, whose person allows, refuses, says no, does nothing, or dies.
    @Suite(.enabled(if: PolkitWorld.canRun, Comment(rawValue: PolkitWorld.obstacle ?? "")), .timeLimit(.minutes(60)))
    struct PolkitTests {
        private let world: PolkitWorld

        init() throws {
            world = try PolkitWorld()
        }

        private func not(_ code: LAError.Code) -> String { "not proven: \(code.rawValue)\n" }

        @Test func agent_decides() throws {
            let answers: [(mode: String, output: String)] = [
                ("allow", "proven\n"), ("refuse", not(.authenticationFailed)), ("dismiss", not(.userCancel)),
                // It looks for another agent when the one has gone.
                ("die", not(.systemCancel)),
            ]
            for (mode, output) in answers {
                let world = try PolkitWorld()
                #expect(try world.output(["--agent", mode], "prove") == output, "\(mode)")
                #expect(world.questions == 1, "\(mode): \(world.log)")
            }
        }

        /// polkit's own agent for terminals asks on a terminal.
        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/pkttyagent"), "pkttyagent is not there"))
        func agentOfTerminals_asks() throws {
            #expect(try world.output(["--agent", "terminal"], "prove") == "proven\n")
            #expect(world.questions == 1, "\(world.log)")
        }

        /// Where PAM's rules for the terminal refuse everybody, the desktop asks.
        @Test func terminalThatRefusesEverybody_leavesItToTheDesktop() throws {
            for task in ["can", "prove"] {
                let options = ["--terminal", "--agent", "allow"]
                let output = try world.output(options, task, rulesOfOther: "auth required pam_deny.so\n")
                let answer = task == "can" ? "2: yes" : "proven"
                #expect(output.split(whereSeparator: \.isNewline).first.map(String.init) == answer, "\(output)")
            }
            #expect(world.questions == 1, "\(world.log)")
        }

        /// Before anything is shown, it is known whether anybody can be asked.
        @Test(arguments: [
            ["--agent", "allow"], [], ["--agent", "allow", "--no-rule"], ["--agent", "allow", "--no-policy"],
            ["--agent", "allow", "--rule", "YES"], ["--agent", "allow", "--rule", "NO"],
        ])
        func canEvaluate_tellsTheTruth(_ options: [String]) throws {
            let isPossible = options == ["--agent", "allow"]
            let password = isPossible ? "yes" : "no, \(LAError.Code.notInteractive.rawValue)"
            let biometry = "no, \(LAError.Code.biometryNotAvailable.rawValue)"
            #expect(try world.output(options, "can") == "2: \(password)\n1: \(biometry)\n")
            #expect(world.questions == 0)
            #expect(try world.output(options, "prove") == (isPossible ? "proven\n" : not(.notInteractive)))
            #expect(world.questions == (isPossible ? 1 : 0))
        }

        /// polkit would let root pass.
        @Test func root_isNotTakenAtPolkitsWord() throws {
            let options = ["--agent", "allow", "--root"]
            #expect(try world.output(options, "can").hasPrefix("2: no, "))
            #expect(try world.output(options, "prove").hasPrefix("not proven: "))
            #expect(world.questions == 0)
        }

        /// The application's reason, without what steers a terminal, for those whom the policy file lets choose the words.
        @Test func words_areTheApplications_whereTheMachineAllowsIt() throws {
            #expect(try world.output(["--agent", "allow", "--owner"], "prove") == "proven\n")
            let asked = "asked: org.secitem.authenticate-owner: "
            #expect(world.log.first == asked + "PresenceProbe wants to know that it is you: to open the [31mnote")
            let other = try PolkitWorld()
            #expect(try other.output(["--agent", "allow"], "prove") == "proven\n")
            #expect(other.log.first == asked + "An application wants to know that it is you")
        }

        /// The main thread waits: nothing needs it to go on.
        @Test func blockedMainThread_isNotNeeded() throws {
            #expect(try world.output(["--agent", "allow"], "prove-blocked") == "proven\n")
        }

        @Test func eightThreads_askTogether() throws {
            let output = try world.output(["--agent", "allow"], "prove-eight-times")
            #expect(output == String(repeating: "proven\n", count: 8))
            #expect((1..<8).contains(world.questions), "\(world.log)")
        }

        @Test func context_asksOnce() throws {
            #expect(try world.output(["--agent", "allow"], "prove-twice") == "proven\nproven\n")
            #expect(world.questions == 1)
        }

        /// The dialog closes.
        @Test func invalidContext_takesTheQuestionBack() throws {
            #expect(try world.output(["--agent", "ignore"], "prove-until-asked") == not(.appCancel))
            #expect(world.log.contains("cancelled"))
        }

        @Test func question_thatNobodyAnswers_ends() throws {
            #expect(try world.output(["--agent", "ignore"], "prove-briefly") == "not proven: ignored\n")
            #expect(world.log.contains("cancelled"))
        }
    }
#endif
