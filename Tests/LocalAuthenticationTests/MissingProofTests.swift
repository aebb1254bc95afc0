// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Testing

@testable import LocalAuthentication

/// Conditions, whether the context has the item's password, which proof is missing first, and what else is told.
private let table: [(flags: SecAccessControlCreateFlags, hasPassword: Bool, proof: String, remedy: String)] = [
    (
        .userPresence, true, "a proof that the user is there",
        "LinuxKeychain.authenticator"
    ),
    (.biometryAny, true, "a fingerprint of the user", "LinuxKeychain.authenticator"),
    (.applicationPassword, false, "the password of the item", ".applicationPassword"),
    ([.applicationPassword, .userPresence], true, "a proof that the user is there", "LinuxKeychain.authenticator"),
    ([.applicationPassword, .devicePasscode], false, "a proof that the user is there", "the password of the item"),
]

/// What a call says that lacks a proof: which one, and what gives it.
@Suite struct MissingProofTests {
    /// Nobody is there; but the machine could ask for what it has.
    private struct Nobody: PresenceAuthenticator {
        func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? { .nobodyToAsk }

        func authenticate(_ request: PresenceRequest) throws(PresenceFailure) { throw .nobodyToAsk }
    }

    /// Nobody is there, and the machine recognises no finger.
    private struct WithoutFingers: PresenceAuthenticator {
        func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
            methods == .biometry ? .noBiometry : .nobodyToAsk
        }

        func authenticate(_ request: PresenceRequest) throws(PresenceFailure) { throw .nobodyToAsk }
    }

    private let calls = KeychainCalls(
        store: InMemoryStore(), application: ClientApplication(identifier: "app"), authenticator: Nobody(),
        passwordCost: .lowest)

    @Test(arguments: table)
    func message_namesIt(
        _ flags: SecAccessControlCreateFlags, _ hasPassword: Bool, _ proof: String, _ remedy: String
    ) throws {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        let context = LAContext()
        context.setCredential(Data("password".utf8), type: .applicationPassword)
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "x", kSecUseAuthenticationContext: context,
        ]
        let new: [CFString: Any] = [kSecValueData: Data("note".utf8), kSecAttrAccessControl: control as Any]
        _ = try calls.add(item: item.merging(new) { $1 } as CFDictionary)
        item[kSecReturnData] = true
        if !hasPassword { item[kSecUseAuthenticationContext] = nil }
        for mayAsk in [true, false] {
            if !mayAsk { item[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail }
            let error = try #require(throws: KeychainError.self) { try calls.copy(matching: item as CFDictionary) }
            #expect(error.status == errSecInteractionNotAllowed)
            #expect(error.message.contains(proof), "\(error)")
            // Nobody is asked for the second proof where the first cannot be had.
            let isWhole = !mayAsk || flags != [.applicationPassword, .devicePasscode]
            if isWhole { #expect("\(error)".contains(remedy)) }
            // A person reads the message, who writes no code.
            #expect(!error.message.contains("LAContext") && !error.message.contains("LinuxKeychain"))
        }
    }

    /// A machine that recognises no finger says so to a right that needs one. To any other right, the person was not
    /// recognised.
    @Test(
        arguments: [
            ([], .authenticationFailed), ([.password], .authenticationFailed),
            ([[.password, .biometry]], .authenticationFailed), ([.biometry], .biometryNotAvailable),
            ([.password, .biometry], .biometryNotAvailable),
        ] as [([PresenceRequest.Methods], LAError.Code)])
    func right_thatIsNotProven_saysWhy(_ steps: [PresenceRequest.Methods], _ code: LAError.Code) {
        let error = RightError.of(errSecAuthFailed, steps, WithoutFingers())
        #expect((error as? LAError)?.code == code)
    }

    /// A wrong password is told once.
    @Test func message_ofAWrongPassword_isOneSentence() throws {
        let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "x"]
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        var status: KeychainError?
        for password in ["right", "wrong"] {
            let context = LAContext()
            context.setCredential(Data(password.utf8), type: .applicationPassword)
            let more: [CFString: Any] =
                password == "right"
                ? [kSecValueData: Data("note".utf8), kSecAttrAccessControl: control as Any] : [kSecReturnData: true]
            var query = item.merging(more) { $1 }
            query[kSecUseAuthenticationContext] = context
            do throws(KeychainError) {
                _ =
                    password == "right"
                    ? try calls.add(item: query as CFDictionary) : try calls.copy(matching: query as CFDictionary)
            } catch {
                status = error
            }
        }
        let error = try #require(status)
        #expect("\(error)".components(separatedBy: "password of the item").count == 2, "\(error)")
    }
}
