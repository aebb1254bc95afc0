// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Asks for the user's own password on the program's terminal, through PAM.
package struct TerminalAuthenticator: PresenceAuthenticator {
    /// The service whose rules PAM applies. If the machine has none of that name, PAM applies those of `other`.
    private static let service = "secitem"
    /// How often the user may type a password until it is right, or until it is one that an item can have.
    package let greatestTries = 3

    /// The folder with PAM's rules in tests; nil for the machine's own folders.
    package static let rulesOfTests = ForkableState<String?>(nil)

    private let rules = rulesOfTests.withLock { $0 }

    package init() {}

    package func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        guard methods.contains(.password) else { return .noBiometry }
        guard Libpam.shared != nil, MachineUser.current != nil else {
            Self.explain("PAM 1.4 or newer is not there to ask for a password: install libpam0g")
            return .nobodyToAsk
        }
        if stack.canKnowNobody(Self.service) {
            Self.explain(
                "the user has no password that PAM could ask for: set one, or have PAM's rules for secitem ask for more"
            )
            return .noPassword
        }
        return Terminal() == nil ? .nobodyToAsk : nil
    }

    private var stack: PAMStack { rules.map(PAMStack.init(folder:)) ?? PAMStack() }

    private static func explain(_ reason: String) {
        KeychainCalls.logger.once(.notice, "nobody can be asked on a terminal", metadata: ["reason": "\(reason)"])
    }

    package func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        guard let library = Libpam.shared, let user = MachineUser.current, let terminal = Terminal() else {
            throw .nobodyToAsk
        }
        let conversation = TerminalConversation(terminal, request)
        do throws(Terminal.End) {
            try terminal.show("\(Self.program) wants to know that it is you: \(request.reason)\n") {
                request.isCancelled
            }
        } catch {
            throw error.failure(afterQuestion: false)
        }
        for attempt in 1...greatestTries {
            conversation.begin()
            let answer = transaction(library, user.name, conversation)
            let isLast = attempt == greatestTries
            if let end = conversation.end {
                guard case .tooLong = end else { throw end.failure(afterQuestion: conversation.hasQuestion) }
                tell(PasswordSlip.tooLong.rawValue + (isLast ? "" : " Try again."))
                if isLast { throw .slip(.tooLong) }
                continue
            }
            if answer == Libpam.success { return try requireProof(conversation) }
            // PAM may refuse a user without a question, for example one whose account is locked.
            let wasAsked = conversation.hasAnswer || conversation.hasStatement
            Self.log(answer, wasAsked: wasAsked)
            guard wasAsked else { throw .refused }
            guard answer == Libpam.authenticationFailed, !isLast else { break }
            terminal.tell("That was not right; try again.\n")
        }
        throw .notRecognised
    }

    /// Requires that the user has answered a question, or that a finger was read. Rules that let everybody pass prove nothing.
    private func requireProof(_ conversation: TerminalConversation) throws(PresenceFailure) {
        if conversation.hasAnswer || conversation.hasStatement && stack.readsFingers(Self.service) { return }
        KeychainCalls.logger.once(
            .warning, "PAM's rules let the user pass without asking, which proves nothing",
            metadata: ["service": "\(Self.service)", "file": "/etc/pam.d/\(Self.service)"])
        throw .nobodyToAsk
    }

    private static var program: String { OwnProgram.current.name ?? "A program" }

    package func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        guard let terminal = Terminal() else {
            Self.explain(
                "the program has no terminal to ask for \(kind.name) on: give it to the LAContext by setCredential")
            throw .nobodyToAsk
        }
        var hasQuestion = false
        do throws(Terminal.End) {
            // A new password and its repetition are one question.
            if case .repeatedApplicationPassword = kind {
            } else {
                try terminal.show("\(Self.program) asks for \(kind.article): \(request.reason)\n") {
                    request.isCancelled
                }
            }
            hasQuestion = true
            return try terminal.line("\(kind.prompt): ", isShown: false) { request.isCancelled }
        } catch {
            throw error.failure(afterQuestion: hasQuestion)
        }
    }

    package func tell(_ text: String) {
        Terminal()?.tell(text + "\n")
    }

    /// Asks once. The account has to be valid as well: neither expired nor locked.
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

    private static func log(_ answer: CInt, wasAsked: Bool) {
        let message: Logger.Message =
            wasAsked ? "PAM did not recognise the user" : "PAM refused the user without asking"
        KeychainCalls.logger.debug(message, metadata: ["code": "\(answer)"])
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

    fileprivate var article: String {
        switch self {
        case .applicationPassword, .newApplicationPassword, .repeatedApplicationPassword: "a password"
        case .passphrase: "a passphrase"
        }
    }

    fileprivate var name: String {
        switch self {
        case .applicationPassword, .newApplicationPassword, .repeatedApplicationPassword: "an item's password"
        case .passphrase: "the store's passphrase"
        }
    }
}

extension Terminal.End {
    /// - Parameter afterQuestion: Whether the user was shown a question before.
    fileprivate func failure(afterQuestion: Bool) -> PresenceFailure {
        switch self {
        case .dismissed: .dismissed
        case .takenBack: .takenBack
        case .lost: afterQuestion ? .ignored : .nobodyToAsk
        case .tooLong: .slip(.tooLong)
        }
    }
}
