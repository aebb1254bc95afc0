// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import Synchronization
import Testing

extension GlobalAuthenticatorTests {
    /// Rights that are not saved. `SecItemConformance` has the laws of saved ones.
    @Suite struct LARightTests {
        /// What the application's closure was asked, and what it throws.
        private final class Person: Sendable {
            private struct State {
                var questions: [String] = []
                var refusal: LAError.Code?
            }

            private let state = Mutex(State())

            var refusal: LAError.Code? {
                get { state.withLock(\.refusal) }
                set { state.withLock { $0.refusal = newValue } }
            }

            /// The questions since the last call.
            func questions() -> [String] {
                state.withLock { state in
                    defer { state.questions = [] }
                    return state.questions
                }
            }

            func ask(_ request: LinuxKeychain.AuthenticationRequest) throws {
                let methods = (request.allowsPassword ? "password " : "") + (request.allowsBiometry ? "biometry " : "")
                let refusal = state.withLock { state in
                    state.questions.append(methods + request.reason)
                    return state.refusal
                }
                if let refusal { throw LAError(refusal) }
            }
        }

        /// A right that counts, as an application's subclass does.
        private final class CountedRight: LARight, @unchecked Sendable {
            private let authorizations = Atomic(0)
            var count: Int { authorizations.load(ordering: .relaxed) }

            override func authorize(
                localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
            ) {
                super.authorize(localizedReason: "the \(localizedReason)") { [self] error in
                    if error == nil { authorizations.add(1, ordering: .relaxed) }
                    handler(error)
                }
            }
        }

        private func asking(
            recognisesBiometry: Bool = true, _ body: (Person) async throws -> Void
        ) async throws {
            let person = Person()
            LinuxKeychain.authenticator = .custom(recognisesBiometry: recognisesBiometry) { try person.ask($0) }
            defer { LinuxKeychain.authenticator = .automatic }
            try await body(person)
        }

        private func code(_ body: () async throws -> Void) async -> LAError.Code? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? LAError)?.code
            }
        }

        private static let requirements: [(LAAuthenticationRequirement, String)] = [
            (.default, "password biometry "), (.biometry, "biometry "), (.biometryCurrentSet, "biometry "),
            (.biometry(fallback: .default), "password biometry "),
            (.biometry(fallback: .devicePasscode), "password biometry "),
        ]

        @Test func requirement_isAskedForOnce_untilDeauthorized() async throws {
            try await asking { person in
                for (requirement, question) in Self.requirements {
                    let right = LARight(requirement: requirement)
                    #expect(right.state == .unknown)
                    try await right.checkCanAuthorize()
                    for _ in 0..<2 {
                        #expect(person.questions() == [])
                        for _ in 0..<2 { try await right.authorize(localizedReason: "why") }
                        #expect(person.questions() == [question + "why"])
                        #expect(right.state == .authorized)
                        await right.deauthorize()
                        #expect(right.state == .notAuthorized)
                    }
                }
            }
        }

        @Test func refusal_reachesTheCaller() async throws {
            try await asking { person in
                for refusal in [LAError.Code.userCancel, .authenticationFailed, .userFallback] {
                    let right = LARight()
                    person.refusal = refusal
                    #expect(await code { try await right.authorize(localizedReason: "why") } == refusal)
                    #expect(right.state == .notAuthorized)
                    person.refusal = nil
                    try await right.authorize(localizedReason: "why")
                    #expect(right.state == .authorized)
                }
            }
        }

        @Test func finger_thatCannotBeRead_isSaidBefore() async throws {
            try await asking(recognisesBiometry: false) { person in
                for (requirement, question) in Self.requirements {
                    let right = LARight(requirement: requirement)
                    let expected: LAError.Code? = question.hasPrefix("password") ? nil : .biometryNotAvailable
                    #expect(await code { try await right.checkCanAuthorize() } == expected)
                    #expect(right.state == .unknown)
                    #expect(await code { try await right.authorize(localizedReason: "why") } == expected)
                    #expect(right.state == (expected == nil ? .authorized : .notAuthorized))
                }
            }
        }

        @Test func proofOfOneRight_isNoneForAnother() async throws {
            try await asking { person in
                let one = LARight(), two = LARight()
                try await one.authorize(localizedReason: "why")
                #expect(two.state == .unknown)
                try await two.authorize(localizedReason: "why")
                #expect(person.questions().count == 2)
                await one.deauthorize()
                #expect(two.state == .authorized)
            }
        }

        @Test func subclass_isCalled() async throws {
            try await asking { person in
                let right = CountedRight(requirement: .biometry)
                right.tag = 5
                try await right.authorize(localizedReason: "reason")
                #expect((right.count, right.tag) == (1, 5))
                #expect(person.questions() == ["biometry the reason"])
            }
        }

        @Test(arguments: [
            "", " \n", "\u{200b}\u{200d}", "\u{feff}", "\u{3164}", "\u{115f}", "\u{2800}", "\u{202e}\u{202c}",
            "\u{fe0f}",
            "\u{e0041}", "\0\u{7f}", "\u{2028}\u{a0}\u{3000}",
        ]) func reason_thatSaysNothing_isRefused(_ reason: String) async throws {
            try await asking { person in
                let right = LARight()
                await #expect(throws: NSError(domain: LAErrorDomain, code: -1008).self) {
                    do {
                        try await right.authorize(localizedReason: reason)
                    } catch {
                        throw NSError(domain: (error as NSError).domain, code: (error as NSError).code)
                    }
                }
                #expect(right.state == .unknown)
                #expect(person.questions() == [])
            }
        }

        /// Every other reason will do.
        @Test(arguments: ["x", ".", "é", "\u{200b}x", "日本", "👍🏽", " - ", "\u{2801}"])
        func reason_thatSaysAnything_isShown(_ reason: String) async throws {
            try await asking { person in
                try await LARight().authorize(localizedReason: reason)
                #expect(person.questions().count == 1)
            }
        }

        @Test func requirements_areEqual_ifTheyDemandTheSame() {
            #expect(LAAuthenticationRequirement.default == .default)
            #expect(LAAuthenticationRequirement.biometry != .biometryCurrentSet)
            #expect(LABiometryFallbackRequirement.devicePasscode == .devicePasscode)
            #expect(LABiometryFallbackRequirement.devicePasscode != .default)
        }
    }
}
