// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemBus
import SecItemShim
import SecItemStore

/// Has polkit ask the person in front of the screen, through the agent that their desktop runs.
///
/// polkit has PAM check what they give: the user's own password, or a finger where PAM's rules for `polkit-1` have
/// `pam_fprintd`. The question is one to the user who runs the program, in an active session. Root is not asked: polkit lets
/// root pass.
package struct PolkitAuthenticator: PresenceAuthenticator {
    /// How long a person may take to answer, in seconds.
    package static let patience = 120.0
    /// The time limit of whatever asks nobody. fprintd may have to be started.
    private static let callTimeLimit = 5.0
    /// How long to wait for polkit to say that it has taken a question back.
    private static let farewell = 2.0

    private static let log = Logger(keychain: "secitem.polkit")
    private static let numbers = ForkableState(UInt64(0))

    private let environment: [String: String]
    private let patience: Double
    private let rules: PAMStack

    package init(
        environment: [String: String] = SecureExecution.environment, patience: Double = patience,
        rulesBelow root: String = ""
    ) {
        self.environment = environment
        self.patience = patience
        rules = PAMStack(root: root)
    }

    // MARK: What there is

    package func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        if methods == .biometry, !canReadFingers { return .noBiometry }
        guard let bus = connection() else { return methods == .biometry ? .noBiometry : .nobodyToAsk }
        if methods == .biometry {
            guard let readers = FingerReaders(on: bus) else { return .noBiometry }
            if !readers.hasFingers { return .notEnrolled }
        }
        return obstacle(on: bus)
    }

    private func obstacle(on bus: BusConnection) -> PresenceFailure? {
        guard geteuid() != 0 else {
            Self.log.debug("polkit lets root pass without asking: it cannot tell whether somebody is there")
            return .nobodyToAsk
        }
        do throws(BusFailure) {
            let authority = PolkitAuthority(bus)
            switch try authority.check() {
            case .challenge: break
            case .authorized:
                Self.log.once(
                    .warning, "polkit's rules let everybody pass without asking, which proves nothing",
                    metadata: ["action": "\(PolkitAuthority.action)"])
                return .nobodyToAsk
            case .dismissed, .refused:
                Self.log.debug("polkit asks nobody here: the session is not active, or there is none")
                return .nobodyToAsk
            }
            return try hasAgent(authority) ? nil : .nobodyToAsk
        } catch {
            Self.explain(error)
            return .nobodyToAsk
        }
    }

    private func hasAgent(_ authority: PolkitAuthority) throws(BusFailure) -> Bool {
        let session = LoginSession.find(on: authority.bus, environment: environment)?.name
        return try authority.hasAgent(session: session ?? environment["XDG_SESSION_ID"])
    }

    private var canReadFingers: Bool { rules.authenticates("polkit-1", with: "pam_fprintd.so") }

    package func enrolledBiometrySet() -> Data? {
        guard canReadFingers, let bus = connection() else { return nil }
        return FingerReaders(on: bus)?.digest
    }

    private func connection() -> BusConnection? {
        do throws(BusFailure) {
            return try BusConnection(
                address: BusAddress.ofSystemBus(in: environment), timeLimit: Self.callTimeLimit)
        } catch {
            Self.explain(error)
            return nil
        }
    }

    private static func explain(_ failure: BusFailure) {
        guard failure.message.contains("is not registered") else {
            return log.debug("polkit cannot be asked", metadata: ["reason": "\(failure)"])
        }
        log.once(
            .warning, "polkit cannot ask: its file for this library is not installed (Scripts/install does that)",
            metadata: ["file": "\(PolkitAuthority.policyFile)", "action": "\(PolkitAuthority.action)"])
    }

    // MARK: Asking

    package func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        guard let bus = connection() else { throw .nobodyToAsk }
        // Before the question: the finger may be quick.
        let matches = request.methods == .biometry ? FingerReaders.Matches(on: bus) : nil
        let authority = PolkitAuthority(bus)
        let answer: PolkitAuthority.Answer
        do throws(BusFailure) {
            answer = try self.answer(to: request, authority)
        } catch {
            if request.isCancelled { throw .takenBack }
            Self.explain(error)
            // What asked has gone, or nobody answered.
            throw .ignored
        }
        if request.isCancelled { throw .takenBack }
        switch answer {
        case .authorized:
            // PAM may have taken the password instead: polkit does not tell.
            if let matches, !matches.contain(on: bus) { throw .passwordInstead }
        case .dismissed: throw .dismissed
        case .challenge: throw .nobodyToAsk
        case .refused:
            // An agent that died looks like a person who was not recognised.
            throw (try? hasAgent(authority)) == true ? .notRecognised : .ignored
        }
    }

    /// Has the person asked, with the application's words where polkit takes them.
    private func answer(
        to request: PresenceRequest, _ authority: PolkitAuthority
    ) throws(BusFailure) -> PolkitAuthority.Answer {
        let program = OwnProgram.current.name ?? "A program"
        let words = ["polkit.message": "\(program) wants to know that it is you: \(Self.shown(request.reason))"]
        do throws(BusFailure) {
            return try wait(request, authority, words)
        } catch {
            guard error.name == "org.freedesktop.PolicyKit1.Error.NotAuthorized" else { throw error }
            // Only those whom the policy file names may choose the words.
            Self.log.debug("polkit shows its own words instead of the application's")
            return try wait(request, authority, [:])
        }
    }

    /// As much of a text as a dialog has place for, without what would steer whatever shows it.
    private static func shown(_ text: String) -> String {
        let steering: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        let plain = text.unicodeScalars.prefix(500).filter { !steering.contains($0.properties.generalCategory) }
        return String(String.UnicodeScalarView(plain))
    }

    private func wait(
        _ request: PresenceRequest, _ authority: PolkitAuthority, _ words: [String: String]
    ) throws(BusFailure) -> PolkitAuthority.Answer {
        let cancellation = Self.newCancellation()
        let call = try authority.begin(words, cancellation: cancellation)
        let deadline = Deadline(in: patience)
        while !request.isCancelled && !deadline.isOver {
            if let reply = try authority.bus.answer(to: call, within: 0.1) { return PolkitAuthority.answer(in: reply) }
        }
        authority.cancel(cancellation)
        defer { authority.bus.abandon(call) }
        // What is answered in this moment does not count any more.
        _ = try authority.bus.answer(to: call, within: Self.farewell)
        throw BusFailure(.timedOut, "timeout", "nobody has answered in time")
    }

    private static func newCancellation() -> String {
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        return "secitem-\(getpid())-\(number)"
    }
}
