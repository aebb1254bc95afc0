// SPDX-License-Identifier: Apache-2.0

#if Polkit || Desktop
    import Foundation
    import LocalAuthentication
    import Testing

    private let isModuleThere = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].contains { folder in
        FileManager.default.fileExists(atPath: "/usr/lib/\(folder)security/pam_fprintd.so")
    }

    /// The real pam_fprintd has fingers read, below the real polkitd. A stand-in for fprintd has the fingers.
    @Suite(
        .enabled(if: PolkitWorld.canRun, Comment(rawValue: PolkitWorld.obstacle ?? "")),
        .enabled(if: isModuleThere, "pam_fprintd of libpam-fprintd is not there"), .timeLimit(.minutes(60)))
    struct FingerTests {
        private static let finger = "right-index-finger"

        private let world: PolkitWorld

        init() throws {
            world = try PolkitWorld()
        }

        private func not(_ code: LAError.Code) -> String { "not proven: \(code.rawValue)\n" }

        @Test func finger_thatIsRecognised_proves() throws {
            #expect(try world.output(["--agent", "allow", "--reader", Self.finger], "prove-finger") == "proven\n")
            #expect(world.log.contains("claimed: nobody"))
            #expect(world.questions == 1)
        }

        /// On a terminal, too, a finger is a proof, although pam_fprintd asks no question.
        @Test func finger_onATerminal_proves() throws {
            let output = try world.output(["--terminal", "--reader", Self.finger], "prove")
            #expect(output.contains("\nproven\r\n"), "\(output)")
            #expect(world.log == ["claimed: nobody"])
        }

        /// PAM takes the password then: it is no finger.
        @Test func password_insteadOfTheFinger_doesNotProve() throws {
            let options = ["--agent", "allow", "--reader", Self.finger, "--match", "verify-no-match"]
            #expect(try world.output(options, "prove-finger") == not(.userFallback))
            #expect(world.log.last == "helper: SUCCESS")
            // Where the password would do, it does.
            #expect(try PolkitWorld().output(options, "prove") == "proven\n")
        }

        /// Where the password is needed, a finger is not enough: neither alone, nor a second time where both are needed.
        @Test(arguments: ["prove-password", "prove-both"])
        func finger_insteadOfThePassword_doesNotProve(_ task: String) throws {
            let options = ["--agent", "allow", "--reader", Self.finger]
            #expect(try world.output(options, task) == not(.authenticationFailed))
            #expect(world.questions == (task == "prove-both" ? 2 : 1))
        }

        /// Also where fprintd has ended before anybody can ask whether the report was its own, and where another module of
        /// PAM's has the finger read.
        @Test(arguments: ["--reader-quits", "--grosshack"])
        func finger_insteadOfThePassword_neverProves(_ option: String) throws {
            let options = ["--agent", "allow", "--reader", Self.finger, option]
            #expect(try world.output(options, "prove-password") == not(.authenticationFailed))
            #expect(world.log.contains("claimed: nobody"), "\(world.log)")
        }

        @Test(arguments: [[], ["--reader-quits"], ["--grosshack"]])
        func password_afterAnUnknownFinger_proves(_ more: [String]) throws {
            let options = ["--agent", "allow", "--reader", Self.finger, "--match", "verify-no-match"] + more
            #expect(try world.output(options, "prove-password") == "proven\n")
        }

        @Test func finger_readByAnotherModule_proves() throws {
            let options = ["--agent", "allow", "--reader", Self.finger, "--grosshack"]
            #expect(try world.output(options, "prove-finger") == "proven\n")
        }

        @Test func password_withoutAReader_proves() throws {
            #expect(try world.output(["--agent", "allow"], "prove-password") == "proven\n")
        }

        @Test func finger_insteadOfThePassword_onATerminal_doesNotProve() throws {
            let output = try world.output(["--terminal", "--reader", Self.finger], "prove-password")
            #expect(output.contains(not(.authenticationFailed).dropLast()), "\(output)")
            #expect(output.components(separatedBy: "That was a finger").count == 4, "\(output)")
        }

        @Test func reader_withoutFingers_asksNobody() throws {
            let options = ["--agent", "allow", "--reader", ""]
            #expect(try world.output(options, "prove-finger") == not(.biometryNotEnrolled))
            #expect(world.questions == 0)
            let code = LAError.Code.biometryNotEnrolled.rawValue
            #expect(try world.output(options, "fingers") == "can: no, \(code), type: 1\nhash: none\nkept: true\n")
        }

        @Test func noReader_isNoBiometry() throws {
            #expect(try world.output(["--agent", "allow"], "prove-finger") == not(.biometryNotAvailable))
            let code = LAError.Code.biometryNotAvailable.rawValue
            let output = try world.output(["--agent", "allow"], "fingers")
            #expect(output == "can: no, \(code), type: 0\nhash: none\nkept: true\n")
        }

        /// The hash is that of the set: the same for the same fingers in any order, another for any other.
        @Test func hash_changesWithTheFingers() throws {
            let sets = ["left-thumb", "left-thumb,right-thumb", "right-thumb,left-thumb", "right-thumb", "left-thumb"]
            let hashes = try sets.map { fingers in
                let output = try world.output(["--agent", "allow", "--reader", fingers], "fingers")
                #expect(output.hasPrefix("can: yes, type: 1\nhash: ") && output.hasSuffix("kept: true\n"), "\(output)")
                return output
            }
            #expect(Set(hashes).count == 3)
            #expect(hashes[1] == hashes[2] && hashes[0] == hashes[4])
            #expect(world.questions == 0)
        }
    }
#endif
