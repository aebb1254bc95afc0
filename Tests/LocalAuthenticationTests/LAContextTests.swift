// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import TestSupport
import Testing

/// A machine on which nobody can authenticate says so, in each way of asking.
extension GlobalAuthenticatorTests {
    @Suite struct LAContextTests {
        private static let reasons: [(LAPolicy, LAError.Code)] = [
            (.deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
            (.deviceOwnerAuthenticationWithBiometricsOrCompanion, .biometryNotAvailable),
            (.deviceOwnerAuthentication, .passcodeNotSet),
            (.deviceOwnerAuthenticationWithCompanion, .companionNotAvailable),
            (.deviceOwnerAuthenticationWithWristDetection, .passcodeNotSet),
        ]

        @Test(arguments: reasons)
        func policy_onThisMachine_cannotBeEvaluated(_ policy: LAPolicy, _ reason: LAError.Code) async {
            let context = LAContext()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(policy, error: &error))
            #expect((error as? LAError)?.code == reason)
            let sentences: [LAError.Code: String] = [
                .passcodeNotSet: "No passcode is set on this machine.",
                .biometryNotAvailable: "This machine has no biometry.",
                .companionNotAvailable: "There is no device nearby.",
            ]
            #expect(error?.localizedDescription == sentences[reason])
            #expect(!context.canEvaluatePolicy(policy, error: nil))
            do {
                try await context.evaluatePolicy(policy, localizedReason: "to test")
                Issue.record("proven by nobody")
            } catch {
                #expect((error as? LAError)?.code == reason)
            }
            #expect(context.biometryType == .none)
            #expect(context.evaluatedPolicyDomainState == nil)
            #expect(context.domainState.stateHash == nil)
        }

        @Test func reply_isCalledOnce_withTheReason() async {
            let context = LAContext()
            let answer = await withCheckedContinuation { continuation in
                context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test") { isProven, error in
                    continuation.resume(returning: (isProven, (error as? LAError)?.code))
                }
            }
            #expect(!answer.0)
            #expect(answer.1 == .passcodeNotSet)
        }

        /// A child is another process: what a person has proven to its parent, or typed there, does not count in it.
        /// What it gets itself, it keeps.
        @Test func child_hasItsOwnProofs() throws {
            let finished = try Program.built("PresenceProbe", ["-", "proofs-in-child"]).run()
            #expect(
                finished.lines == [
                    "kept: true", "proof: yes, in a child no", "passphrase: yes, in a child no",
                    "password: yes, in a child no", "password for new items: yes, in a child no",
                    "password that was right: yes, in a child no", "own proof: in a child yes",
                    "own passphrase: in a child yes", "own password: in a child yes",
                ], "\(finished)")
        }

        @Test func invalidContext_refusesEverything() async throws {
            let context = LAContext()
            context.invalidate()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.code == LAError.invalidContext.rawValue)
            do {
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
                Issue.record("proven by an invalid context")
            } catch LAError.invalidContext {
            }
            let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
            do {
                try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test")
                Issue.record("fulfilled by an invalid context")
            } catch LAError.invalidContext {
            }
        }

        /// Nobody can be asked here, or the application forbids it: whoever reads the error knows which.
        @Test func notInteractive_saysWhy() async throws {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
            for mayAsk in [true, false] {
                let context = LAContext()
                context.interactionNotAllowed = !mayAsk
                let error = await #expect(throws: LAError.self) {
                    try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test")
                }
                #expect(error?.code == .notInteractive)
                let sentence = error?.localizedDescription ?? ""
                #expect(sentence.contains("nobody can ask") == mayAsk, "\(sentence)")
                #expect(sentence.contains("does not allow") != mayAsk, "\(sentence)")
            }
        }

        @Test func accessControl_asksForWhatItDemands() async throws {
            let context = LAContext()
            let demands: [(SecAccessControlCreateFlags, LAError.Code?)] = [
                ([], nil), (.privateKeyUsage, nil), (.userPresence, .passcodeNotSet),
                (.devicePasscode, .passcodeNotSet),
                (.biometryAny, .biometryNotAvailable), (.biometryCurrentSet, .biometryNotAvailable),
                (.companion, .companionNotAvailable), (.applicationPassword, .notInteractive),
                ([.biometryAny, .or, .devicePasscode], .passcodeNotSet),
            ]
            for (flags, reason) in demands {
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
                var found: LAError.Code?
                do {
                    try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test")
                } catch {
                    found = (error as? LAError)?.code
                }
                #expect(found == reason)
            }
        }

        @Test func settings_areKept() {
            let context = LAContext()
            #expect(context.localizedReason.isEmpty)
            #expect(!context.interactionNotAllowed)
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
            #expect(context.localizedFallbackTitle == nil)
            #expect(context.localizedCancelTitle == nil)
            context.localizedReason = "reason"
            context.interactionNotAllowed = true
            context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
            context.localizedFallbackTitle = ""
            context.localizedCancelTitle = "No"
            #expect(context.maxBiometryFailures == nil)
            context.maxBiometryFailures = 3
            #expect(context.maxBiometryFailures == 3)
            #expect(context.localizedReason == "reason")
            #expect(context.interactionNotAllowed)
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
            #expect(context.localizedFallbackTitle == "")
            #expect(context.localizedCancelTitle == "No")
        }

        @Test func credential_isKept_untilItIsTakenBackOrTheContextEnds() {
            for type in [LACredentialType.applicationPassword, .devicePasscode] {
                let context = LAContext()
                #expect(!context.isCredentialSet(type))
                #expect(context.setCredential(Data([1]), type: type))
                #expect(context.isCredentialSet(type))
                #expect(context.setCredential(nil, type: type))
                #expect(!context.isCredentialSet(type))
                // An empty one is one.
                #expect(context.setCredential(Data(), type: type))
                #expect(context.isCredentialSet(type))
                context.invalidate()
                #expect(!context.isCredentialSet(type))
                #expect(!context.setCredential(Data([1]), type: type))
                #expect(!context.isCredentialSet(type))
            }
            #expect(!LAContext().setCredential(Data([1]), type: .smartCardPIN))
            #expect(LACredentialType.applicationPassword.rawValue == 0)
        }

        @Test func applicationPassword_thatIsSet_isNotAskedFor() async throws {
            let context = LAContext()
            context.setCredential(Data([1]), type: .applicationPassword)
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
            try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test")
        }

        @Test func domainState_withoutFingers_hasNoHash() {
            let state = LAContext().domainState
            #expect(state.stateHash == nil)
            #expect(state.biometry.stateHash == nil)
            #expect(state.biometry.biometryType == .none)
            #expect(state.companion.availableCompanionTypes.isEmpty)
            #expect(state.companion.stateHash == nil)
            #expect(state.companion.stateHash(for: .watch) == nil)
        }

        /// Applications put such a class into their tests.
        final class Obliging: LAContext, @unchecked Sendable {
            override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { true }

            override func evaluatePolicy(
                _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
            ) {
                reply(true, nil)
            }
        }

        @Test func subclass_answersForItself_inEveryForm() async throws {
            let context: LAContext = Obliging()
            #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            let isProven = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
            #expect(isProven)
        }
    }
}
