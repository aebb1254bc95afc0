// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore
import Synchronization
import TestSupport
import Testing

extension GlobalAuthenticatorTests {
    /// The application asks by itself.
    @Suite struct CustomAuthenticatorTests {
        private struct Refusal: Error {}

        /// What a closure was asked.
        private final class Asked: Sendable {
            private let requests = Mutex<[String]>([])
            /// How many contexts have been asked to evaluate something.
            let callers = Atomic(0)

            var all: [String] { requests.withLock { $0 } }

            func note(_ request: LinuxKeychain.AuthenticationRequest) {
                let methods = (request.allowsPassword ? "password " : "") + (request.allowsBiometry ? "biometry " : "")
                requests.withLock { $0.append(methods + request.reason) }
            }
        }

        private func using(
            recognisesBiometry: Bool = false,
            _ ask: @escaping @Sendable (LinuxKeychain.AuthenticationRequest) throws -> Void,
            _ body: () async throws -> Void
        ) async throws {
            LinuxKeychain.authenticator = .custom(recognisesBiometry: recognisesBiometry, ask: ask)
            defer { LinuxKeychain.authenticator = .automatic }
            try await body()
        }

        private func code(_ body: () async throws -> Void) async -> LAError.Code? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? LAError)?.code
            }
        }

        @Test func policies_askForWhatProvesThem() async throws {
            for recognises in [false, true] {
                let asked = Asked()
                try await using(recognisesBiometry: recognises, asked.note) {
                    let context = LAContext()
                    #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
                    let canBiometrics = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
                    #expect(canBiometrics == recognises)
                    #expect(context.biometryType == (recognises ? .touchID : .none))
                    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "one")
                    let second = await code {
                        try await context.evaluatePolicy(
                            .deviceOwnerAuthenticationWithBiometrics, localizedReason: "two")
                    }
                    #expect(second == (recognises ? nil : .biometryNotAvailable))
                    // Proven already.
                    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "three")
                }
                #expect(asked.all == ["password biometry one"] + (recognises ? ["biometry two"] : []))
            }
        }

        @Test func error_ofTheClosure_reachesTheCaller() async throws {
            for (thrown, seen) in [
                (LAError(.userFallback) as any Error, LAError.Code.userFallback), (Refusal(), .authenticationFailed),
            ] {
                try await using({ _ in throw thrown }) {
                    let found = await code {
                        try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
                    }
                    #expect(found == seen)
                }
            }
        }

        @Test func accessControl_isProvenStepByStep() async throws {
            let table: [(SecAccessControlCreateFlags, [String])] = [
                ([], []), (.privateKeyUsage, []), (.userPresence, ["password biometry why"]),
                (.devicePasscode, ["password why"]), (.biometryAny, ["biometry why"]),
                ([.biometryAny, .and, .devicePasscode], ["biometry why", "password why"]),
                ([.biometryAny, .or, .devicePasscode], ["password biometry why"]),
            ]
            for (flags, questions) in table {
                let asked = Asked()
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
                try await using(recognisesBiometry: true, asked.note) {
                    try await LAContext().evaluateAccessControl(control, operation: .useItem, localizedReason: "why")
                }
                #expect(asked.all == questions, "\(flags)")
            }
        }

        /// Nobody knows what such conditions demand, so asking for the others would be too little.
        @Test func accessControl_withUnknownConditions_isNotProven() async throws {
            let known: [SecAccessControlCreateFlags] = [
                [], .userPresence, [.biometryAny, .or, .devicePasscode], .applicationPassword, .privateKeyUsage,
            ]
            let unknown = [2, 6, 9, 13, 16, 29, 32, 40, 63].map { SecAccessControlCreateFlags(rawValue: 1 << $0) }
            for flags in known.flatMap({ known in unknown.map { known.union($0) } }) {
                guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
                else {
                    continue
                }
                let asked = Asked(), context = LAContext()
                context.setCredential(Data("password".utf8), type: .applicationPassword)
                try await using(recognisesBiometry: true, asked.note) {
                    do {
                        try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "why")
                        Issue.record("proven: \(flags)")
                    } catch let error as NSError {
                        #expect((error.domain, error.code) == (LAErrorDomain, -1008))
                    }
                }
                #expect(asked.all.isEmpty, "\(flags)")
            }
        }

        /// A proof to one context stands for another that takes it, for the policies that take what it was given by.
        @Test func reuseDuration_takesAnothersProof() async throws {
            let table: [(TimeInterval, Bool)] = [
                (300, true), (.infinity, true), (0, false), (-1, false), (.nan, false), (.leastNonzeroMagnitude, false),
            ]
            for (seconds, isTaken) in table {
                let asked = Asked()
                try await using(recognisesBiometry: true, asked.note) {
                    try await LAContext().evaluatePolicy(
                        .deviceOwnerAuthenticationWithBiometrics, localizedReason: "one")
                    let context = LAContext()
                    context.touchIDAuthenticationAllowableReuseDuration = seconds
                    try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "two")
                    // A finger is also what the wider policy takes.
                    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "three")
                    context.invalidate()
                    let ended = await code {
                        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "four")
                    }
                    #expect(ended == .invalidContext)
                }
                #expect(asked.all == ["biometry one"] + (isTaken ? [] : ["biometry two"]), "\(seconds)")
            }
        }

        /// What the password may have proven never stands for a finger.
        @Test func proof_byWhatMayBeThePassword_doesNotStandForBiometry() async throws {
            let asked = Asked()
            try await using(recognisesBiometry: true, asked.note) {
                let context = LAContext()
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "one")
                try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "two")
                try await context.evaluatePolicy(.deviceOwnerAuthenticationWithWristDetection, localizedReason: "three")
            }
            #expect(asked.all == ["password biometry one", "biometry two", "password three"])
        }

        /// A proof alone does not open what is sealed under what a person knows.
        @Test func secret_isAskedForByItself_andOnce() async throws {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
            let kinds = Mutex<[LinuxKeychain.SecretRequest.Kind]>([])
            let answers: [Result<String, any Error>] = [
                .success("a password"), .success(""), .failure(LAError(.userCancel)), .failure(Refusal()),
            ]
            for answer in answers {
                LinuxKeychain.authenticator = .custom(
                    ask: { _ in Issue.record("no proof is wanted") },
                    secret: { request in
                        #expect(request.reason == "why" && !request.isCancelled)
                        kinds.withLock { $0.append(request.kind) }
                        return Data(try answer.get().utf8)
                    })
                defer { LinuxKeychain.authenticator = .automatic }
                let context = LAContext()
                let found = await code {
                    try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "why")
                }
                let isGiven = if case .success(let text) = answer { !text.isEmpty } else { false }
                #expect((found == nil) == isGiven)
                // It is kept, but the application has not set it.
                #expect(!context.isCredentialSet(.applicationPassword))
                if isGiven {
                    try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "why")
                }
                #expect(kinds.withLock { $0 } == [.applicationPassword])
                if case .failure(let error) = answer, error is LAError { #expect(found == .userCancel) }
                kinds.withLock { $0.removeAll() }
                let request = PresenceRequest(.password, reason: "why")
                let authenticator = LinuxKeychain.presenceAuthenticator
                for isNew in [false, true] {
                    let typed = try? PresenceDialog.applicationPassword(
                        isNew: isNew, request, for: nil, through: authenticator)
                    #expect((typed != nil) == isGiven)
                }
                let passphrase = try? PresenceDialog.passphrase(request, for: nil, through: authenticator) {
                    .success($0.data())
                }
                #expect(try passphrase?.get() == (try? answer.get()).map { Data($0.utf8) })
                #expect(
                    kinds.withLock { $0 } == [.applicationPassword, .newApplicationPassword, .storePassphrase])
                kinds.withLock { $0.removeAll() }
            }
        }

        /// Without the closure for it, nobody can be asked.
        @Test func secret_withoutAClosure_isNotToBeHad() async throws {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
            try await using({ _ in }) {
                let found = await code {
                    try await LAContext().evaluateAccessControl(control, operation: .useItem, localizedReason: "why")
                }
                #expect(found == .notInteractive)
            }
        }

        @Test func context_thatMustNotAsk_isNotAsked() async throws {
            let asked = Asked()
            try await using(asked.note) {
                let context = LAContext()
                context.interactionNotAllowed = true
                let found = await code {
                    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
                }
                #expect(found == .notInteractive)
                #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            }
            #expect(asked.all.isEmpty)
        }

        /// A context that ends while it is asked takes its question back, and proves nothing even if the closure says so.
        @Test func context_thatEndsMeanwhile_provesNothing() async throws {
            for returns in [false, true] {
                let context = LAContext()
                let ask: @Sendable (LinuxKeychain.AuthenticationRequest) throws -> Void = { request in
                    context.invalidate()
                    #expect(request.isCancelled)
                    if !returns { throw Refusal() }
                }
                try await using(ask) {
                    do {
                        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
                        Issue.record("proven to a context that has ended")
                    } catch let error as LAError {
                        #expect(error.code == .appCancel)
                        // The person has dismissed nothing.
                        #expect(error.localizedDescription.contains("application"))
                    }
                }
            }
        }

        /// A context that has the proof by the time its question is due asks nobody. That is no answer for another context.
        @Test func questionThatNobodyIsAsked_answersNoOther() throws {
            final class Proven: AuthenticationContext {
                /// Whether another thread waits for the answer.
                let isAwaited = DispatchSemaphore(value: 0)
                let interactionNotAllowed = false
                let isInvalidated = false
                let localizedReason = ""
                let applicationPassword: Secret? = nil
                let passphrase: Secret? = nil
                /// Whether the question is open.
                let isOpen = DispatchSemaphore(value: 0)

                func hasProven(_ methods: PresenceRequest.Methods) -> Bool {
                    isOpen.signal()
                    isAwaited.wait()
                    return true
                }

                func noteProof(of methods: PresenceRequest.Methods) -> Bool { true }
                func keep(applicationPassword: Secret) -> Bool { true }
                func keep(passphrase: Secret) -> Bool { true }
            }
            struct Counting: PresenceAuthenticator {
                let count = Shared(0)
                func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? { nil }
                func authenticate(_ request: PresenceRequest) throws(PresenceFailure) { count.change { $0 += 1 } }
            }
            let context = Proven()
            let authenticator = Counting()
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let request = PresenceRequest(.password, reason: "why")
                _ = try? PresenceDialog.ask(request, for: context, through: authenticator)
                isDone.signal()
            }
            context.isOpen.wait()
            // It is looked at once before the thread waits, and then again and again.
            let looks = Shared(0)
            let request = PresenceRequest(.password, reason: "why") {
                looks.change { $0 += 1 }
                if looks.value == 2 { context.isAwaited.signal() }
                return false
            }
            try PresenceDialog.ask(request, for: nil, through: authenticator)
            isDone.wait()
            #expect(authenticator.count.value == 1)
        }

        /// A credential that the application takes back is gone, also if it has opened something, or the user typed it.
        @Test func credentialThatIsTakenBack_isGone() {
            let context = LAContext()
            let secret = Data("secret".utf8)
            for type in [LACredentialType.devicePasscode, .applicationPassword] {
                context.setCredential(secret, type: type)
                _ = context.keep(passphrase: Secret(secret))
                _ = context.keep(applicationPassword: Secret(secret))
                context.setCredential(nil, type: type)
                #expect((type == .devicePasscode ? context.passphrase : context.applicationPassword) == nil)
            }
        }

        /// Whoever asks the same meanwhile gets the same answer, whoever asks something else waits.
        @Test func eightContexts_askOnce_forEachReason() async throws {
            let asked = Asked()
            let isOpen = Atomic(0)
            let ask: @Sendable (LinuxKeychain.AuthenticationRequest) throws -> Void = { request in
                asked.note(request)
                // The first question is open until everybody has called.
                while asked.callers.load(ordering: .relaxed) < 8 { usleep(1000) }
                #expect(isOpen.add(1, ordering: .relaxed).newValue == 1)
                usleep(300_000)
                isOpen.subtract(1, ordering: .relaxed)
            }
            try await using(ask) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            let reason = number.isMultiple(of: 2) ? "even" : "odd"
                            asked.callers.add(1, ordering: .relaxed)
                            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(Set(asked.all) == ["password biometry even", "password biometry odd"])
            #expect(asked.all.count < 8)
        }
    }
}
