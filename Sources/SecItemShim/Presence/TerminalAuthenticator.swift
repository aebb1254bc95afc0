// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Asks for the user's own password on the program's terminal, through PAM.
package struct TerminalAuthenticator: PresenceAuthenticator {
    /// The service whose rules PAM applies. If the machine has none of that name, PAM applies those of `other`.
    private static let service = "secitem"
    /// The file in which an administrator writes its rules.
    private static let ownFile = "/etc/pam.d/\(service)"
    /// How often the user may type a password until it is right, or until it is one that an item can have.
    package let greatestTries = 3

    /// The folder with PAM's rules in tests; nil for the machine's own folders.
    package static let rulesOfTests = LockedValue<String?>(nil)

    private let rules = rulesOfTests.withLock { $0 }

    package init() {}

    package func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        guard let obstacle = findObstacle(to: methods) else { return nil }
        obstacle.explain()
        return obstacle.failure
    }

    /// Why nobody can be asked on the terminal. Somebody else may be able to ask, so the reason is not logged yet.
    struct Obstacle {
        let failure: PresenceFailure
        /// What an administrator or the user can change.
        var reason: String?

        /// Logs the reason, once.
        func explain() {
            if let reason { TerminalAuthenticator.explain(reason) }
        }
    }

    /// Returns why nobody can be asked on the terminal; nil if the user can.
    func findObstacle(to methods: PresenceRequest.Methods) -> Obstacle? {
        guard methods.contains(.password) else { return Obstacle(failure: .noBiometry) }
        guard Libpam.shared != nil, MachineUser.current != nil else {
            return Obstacle(
                failure: .nobodyToAsk,
                reason: "PAM 1.4 or newer is not there to ask for a password: install libpam0g")
        }
        let hasTerminal = Terminal() != nil
        // Before the rest: a user who sets a password would still be refused.
        if hasTerminal, stack.refusesEverybody(Self.service) {
            return Obstacle(failure: .nobodyToAsk, reason: refusalOfEverybody)
        }
        if stack.canKnowNobody(Self.service) {
            return Obstacle(
                failure: .noPassword,
                reason: "the user has no password that PAM could ask for: set one, or have PAM's rules for secitem ask "
                    + "for more")
        }
        if hasTerminal { return nil }
        let reason =
            Terminal.isInBackground
            ? "the program runs in the background of its terminal: bring it to the foreground"
            : "the program has no terminal"
        return Obstacle(failure: .nobodyToAsk, reason: reason)
    }

    private var stack: PAMStack { rules.map(PAMStack.init(folder:)) ?? PAMStack() }

    private var refusalOfEverybody: String {
        guard let file = stack.file(of: Self.service) else {
            return "PAM has no rules for \(Self.service), and those of other refuse everybody: write \(Self.ownFile)"
        }
        return "PAM's rules in \(file) refuse everybody"
    }

    private static func explain(_ reason: String) {
        CallLog.logger.once(.notice, "nobody can be asked on a terminal", metadata: ["reason": "\(reason)"])
    }

    package func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        guard let library = Libpam.shared, let user = MachineUser.current, let terminal = Terminal() else {
            throw .nobodyToAsk
        }
        let conversation = TerminalConversation(terminal, request)
        let turn: TerminalTurn
        do throws(Terminal.End) {
            turn = try terminal.turn { request.isCancelled }
        } catch {
            throw error.failure(afterQuestion: false)
        }
        defer { turn.end() }
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
                guard case .slip(let slip) = end else { throw end.failure(afterQuestion: conversation.hasQuestion) }
                tell(slip.rawValue + (isLast ? "" : " Try again."))
                if isLast { throw .slip(slip) }
                continue
            }
            let wasAsked = wasAsked(conversation)
            let code: CInt
            switch answer {
            case .recognised:
                if wasAsked {
                    guard isFingerInstead(request, conversation) else { return }
                    tell("That was a finger, and the password is needed." + (isLast ? "" : " Try again."))
                    if isLast { throw .fingerInstead }
                    continue
                }
                log(.warning, "PAM's rules let the user pass without asking, which proves nothing")
                throw .nobodyToAsk
            case .accountRefused(let code) where wasAsked:
                // Another password would not help.
                logRefusal("PAM recognised the user, and refused the account", code)
                let reason = code == Libpam.newPasswordNeeded ? ": its password has to be changed" : ""
                terminal.tell("You were recognised, but this account may not be used now\(reason).\n")
                throw .accountRefused
            case .accountRefused(let number), .notRecognised(let number): code = number
            }
            // PAM may refuse a user without a question, for example one whose account is locked.
            guard wasAsked else {
                logRefusal("PAM refuses the user without asking", code)
                throw .refused
            }
            CallLog.logger.debug("PAM did not recognise the user", metadata: ["code": "\(code)"])
            guard code == Libpam.authenticationFailed, !isLast else { break }
            terminal.tell("That was not right; try again.\n")
        }
        throw .notRecognised
    }

    /// Whether the user has answered a question, or was asked for a finger. Rules that let everybody pass prove nothing, and a
    /// message alone asks for nothing.
    private func wasAsked(_ conversation: TerminalConversation) -> Bool {
        conversation.hasAnswer || conversation.hasStatement && stack.readsFingers(Self.service)
    }

    /// Whether PAM has accepted a finger, and the password is needed. A module that reads a finger tells the user so, after
    /// all questions that were answered in vain.
    private func isFingerInstead(_ request: PresenceRequest, _ conversation: TerminalConversation) -> Bool {
        !request.methods.contains(.biometry) && !conversation.endsWithAnswer && stack.readsFingers(Self.service)
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
            let turn = try terminal.turn { request.isCancelled }
            defer { turn.end() }
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

    /// What PAM found out.
    private enum Answer {
        /// The user is recognised, and the account is in order.
        case recognised
        case notRecognised(code: CInt)
        /// The user is recognised. The account is expired or locked, or the rules do not allow it now.
        case accountRefused(code: CInt)
    }

    /// Asks once.
    private func transaction(_ library: Libpam, _ user: String, _ conversation: TerminalConversation) -> Answer {
        withExtendedLifetime(conversation) {
            let context = Unmanaged.passUnretained(conversation).toOpaque()
            var talk = Libpam.Talk(conversation: TerminalConversation.answer, context: context)
            var handle: OpaquePointer?
            let started = withUnsafePointer(to: &talk) {
                library.start(Self.service, user, UnsafeRawPointer($0), rules, &handle)
            }
            guard started == Libpam.success, let handle else { return .notRecognised(code: started) }
            let recognition = library.authenticate(handle, 0)
            conversation.endRecognition()
            guard recognition == Libpam.success else {
                _ = library.end(handle, recognition)
                return .notRecognised(code: recognition)
            }
            let account = library.checkAccount(handle, 0)
            _ = library.end(handle, account)
            return account == Libpam.success ? .recognised : .accountRefused(code: account)
        }
    }

    /// Logs once what an administrator can change in PAM's rules.
    private func logRefusal(_ what: String, _ code: CInt) {
        let words = Libpam.shared?.text(of: code) ?? ""
        log(.notice, "\(what): see its rules", ["code": "\(code) (\(words))"])
    }

    /// Logs once something about PAM's rules, and names the file with them.
    private func log(_ level: Logger.Level, _ what: String, _ more: Logger.Metadata = [:]) {
        let file = stack.file(of: Self.service)
        var metadata = more
        metadata["service"] = "\(Self.service)"
        metadata["file"] = "\(file ?? Self.ownFile)"
        if file == nil { metadata["note"] = "the file is not there, so the rules of other apply" }
        CallLog.logger.once(level, "\(what)", metadata: metadata)
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
        case .slip(let slip): .slip(slip)
        }
    }
}
