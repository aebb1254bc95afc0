// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemBus
import SecItemShim
import SecItemStore

/// Makes polkit ask the person at the screen, through the agent of their desktop.
///
/// polkit lets PAM check the answer: the user's own password, or a finger if PAM's rules for `polkit-1` include
/// `pam_fprintd`. It asks the user who runs the program, in an active session. This is not used for root, because
/// polkit authorises root without asking.
package struct PolkitAuthenticator: PresenceAuthenticator {
    /// How long a person may take to answer, in seconds.
    package static let patience = 120.0
    /// The time limit of calls that ask nobody. fprintd may have to be started.
    private static let callTimeLimit = 5.0
    /// The PAM service whose rules apply when polkit asks.
    private static let ruleService = "polkit-1"
    /// How long to wait for polkit to confirm that it has withdrawn a prompt.
    private static let farewell = 2.0

    private static let log = Logger(keychain: "secitem.polkit")
    private static let numbers = LockedValue(UInt64(0))

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
        if rules.canKnowNobody(Self.ruleService) { return .noPassword }
        return obstacle(on: bus)
    }

    private func obstacle(on bus: BusConnection) -> PresenceFailure? {
        guard geteuid() != 0 else {
            Self.explain("polkit asks nobody for root: run the program as an ordinary user, or on a terminal")
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
                Self.explain(
                    "polkit asks the user of an active local session only: log in at the screen, or use a terminal")
                return .nobodyToAsk
            }
            if try hasAgent(authority) { return nil }
            Self.explain("no polkit agent runs in the session: start the desktop's, or run the program on a terminal")
            return .nobodyToAsk
        } catch {
            Self.explain(error)
            return .nobodyToAsk
        }
    }

    private func hasAgent(_ authority: PolkitAuthority) throws(BusFailure) -> Bool {
        let session = LoginSession.find(on: authority.bus, environment: environment)?.name
        return try authority.hasAgent(session: session ?? environment["XDG_SESSION_ID"])
    }

    private var canReadFingers: Bool { rules.readsFingers(Self.ruleService) }

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
            return explain("polkit cannot be asked (\(failure)): install polkitd, and have the system bus run")
        }
        log.once(
            .warning, "polkit cannot ask: its file for this library is not installed (Scripts/install does that)",
            metadata: ["file": "\(PolkitAuthority.policyFile)", "action": "\(PolkitAuthority.action)"])
    }

    private static func explain(_ reason: String) {
        log.once(.notice, "nobody can be asked on the desktop", metadata: ["reason": "\(reason)"])
    }

    // MARK: Asking

    package func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        guard let bus = connection() else { throw .nobodyToAsk }
        // polkit does not report whether PAM has accepted a finger or the password. Created before the prompt, because the
        // finger may be quick.
        let isEitherEnough = request.methods.isSuperset(of: [.password, .biometry])
        let matches = isEitherEnough ? nil : FingerReaders.Matches(on: bus)
        let authority = PolkitAuthority(bus)
        let answer: PolkitAuthority.Answer
        do throws(BusFailure) {
            answer = try self.answer(to: request, authority)
        } catch {
            if request.isCancelled { throw .takenBack }
            Self.explain(error)
            // The agent is gone, or nobody answered.
            throw .ignored
        }
        if request.isCancelled { throw .takenBack }
        switch answer {
        case .authorized:
            if let matches { try require(request.methods, matches.finding(on: bus)) }
        case .dismissed: throw .dismissed
        case .challenge: throw .nobodyToAsk
        case .refused:
            // If the agent dies, the result looks like that of a person who was not recognised.
            throw (try? hasAgent(authority)) == true ? .notRecognised : .ignored
        }
    }

    /// Refuses a finger where the password is needed, and the password where a finger is.
    private func require(
        _ methods: PresenceRequest.Methods, _ finding: FingerReaders.Matches.Finding
    ) throws(PresenceFailure) {
        if methods.contains(.biometry) {
            guard case .heard = finding else { throw .passwordInstead }
            return
        }
        switch finding {
        case .heard: throw .fingerInstead
        // Where PAM reads no finger, the password goes on working without fprintd.
        case .unknown where canReadFingers: throw .fingerInstead
        case .notHeard, .unknown: break
        }
    }

    /// Asks the person, with the application's words if polkit accepts them.
    private func answer(
        to request: PresenceRequest, _ authority: PolkitAuthority
    ) throws(BusFailure) -> PolkitAuthority.Answer {
        let program = OwnProgram.current.name ?? "A program"
        let words = ["polkit.message": "\(program) wants to know that it is you: \(Self.shown(request.reason))"]
        do throws(BusFailure) {
            return try wait(request, authority, words)
        } catch {
            guard error.name == "org.freedesktop.PolicyKit1.Error.NotAuthorized" else { throw error }
            // Only users in the policy file may choose the words.
            Self.log.debug("polkit shows its own words instead of the application's")
            return try wait(request, authority, [:])
        }
    }

    /// As much of a text as fits into a dialog, without control and format characters.
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
        // An answer at this moment does not count any more.
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
