// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Has PAM ask for the user's own password on the program's terminal.
package struct TerminalAuthenticator: PresenceAuthenticator {
    /// The service whose rules PAM goes by; those of `other`, where the machine has none of that name.
    private static let service = "secitem"
    /// How often a wrong password may be typed.
    private static let greatestTries = 3

    /// The folder in which PAM looks for the service in tests; nil for where the machine has it.
    package static let rulesOfTests = ForkableState<String?>(nil)

    private let rules = rulesOfTests.withLock { $0 }

    package init() {}

    package func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        guard methods.contains(.password) else { return .noBiometry }
        guard Libpam.shared != nil, let user = MachineUser.current else { return .nobodyToAsk }
        if rules == nil, user.hasNoPassword { return .noPassword }
        return Terminal() == nil ? .nobodyToAsk : nil
    }

    package func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        guard let library = Libpam.shared, let user = MachineUser.current, let terminal = Terminal() else {
            throw .nobodyToAsk
        }
        let conversation = TerminalConversation(terminal, request)
        do throws(Terminal.End) {
            try terminal.show("\(Self.program) wants to know that it is you: \(request.reason)\n")
        } catch {
            throw .nobodyToAsk
        }
        for attempt in 1...Self.greatestTries {
            let answer = transaction(library, user.name, conversation)
            if let end = conversation.end { throw end.failure }
            if answer == Libpam.success { return }
            Self.log(answer)
            guard answer == Libpam.authenticationFailed, attempt < Self.greatestTries else { break }
            try? terminal.show("That was not right; try again.\n")
        }
        throw .notRecognised
    }

    private static var program: String { OwnProgram.current.name ?? "A program" }

    package func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        guard let terminal = Terminal() else { throw .nobodyToAsk }
        do throws(Terminal.End) {
            try terminal.show("\(Self.program) asks: \(request.reason)\n\(kind.prompt): ")
            return try terminal.line(isShown: false) { request.isCancelled }
        } catch {
            throw error.failure
        }
    }

    /// Asks once. The account has to be in order too: neither expired nor locked.
    private func transaction(_ library: Libpam, _ user: String, _ conversation: TerminalConversation) -> CInt {
        withExtendedLifetime(conversation) {
            let context = Unmanaged.passUnretained(conversation).toOpaque()
            var talk = Libpam.Talk(conversation: TerminalConversation.answer, context: context)
            var handle: OpaquePointer?
            let started = withUnsafePointer(to: &talk) {
                library.start(Self.service, user, UnsafeRawPointer($0), rules, &handle)
            }
            guard started == Libpam.success, let handle else { return started }
            var answer = library.authenticate(handle, 0)
            if answer == Libpam.success { answer = library.checkAccount(handle, 0) }
            _ = library.end(handle, answer)
            return answer
        }
    }

    private static func log(_ answer: CInt) {
        KeychainCalls.logger.debug("PAM did not recognise the user", metadata: ["code": "\(answer)"])
    }
}

extension WantedSecret {
    fileprivate var prompt: String {
        switch self {
        case .applicationPassword: "Password of the item"
        case .newApplicationPassword: "New password of the item"
        case .repeatedApplicationPassword: "The same password again"
        case .passphrase: "Passphrase of the keychain"
        }
    }
}

extension Terminal.End {
    fileprivate var failure: PresenceFailure {
        switch self {
        case .dismissed: .dismissed
        case .takenBack: .takenBack
        case .lost: .nobodyToAsk
        }
    }
}
