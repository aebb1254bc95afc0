// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Asks on the program's terminal if it has one and PAM's rules can recognise somebody, otherwise through the desktop.
/// Policies that accept only a fingerprint always ask through the desktop.
struct AutomaticAuthenticator: PresenceAuthenticator {
    private let terminal = TerminalAuthenticator()
    private let desktop = platform().findDesktopAuthenticator()

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        guard let onTerminal = terminal.findObstacle(to: methods) else { return nil }
        guard let desktop else { return withoutDesktop(onTerminal) }
        return desktop.obstacle(to: methods).map { tell(onTerminal, orOnDesktop: $0) }
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        guard let onTerminal = terminal.findObstacle(to: request.methods) else {
            return try terminal.authenticate(request)
        }
        guard let desktop else { throw withoutDesktop(onTerminal) }
        do throws(PresenceFailure) {
            try desktop.authenticate(request)
        } catch {
            throw tell(onTerminal, orOnDesktop: error)
        }
    }

    /// Returns why nobody can be asked, and logs it, if the program cannot ask on a desktop.
    private func withoutDesktop(_ onTerminal: TerminalAuthenticator.Obstacle) -> PresenceFailure {
        onTerminal.explain()
        if case .nobodyToAsk = onTerminal.failure {
            CallLog.logger.once(
                .notice, "nobody can be asked on the desktop",
                metadata: ["reason": "the program is built without the trait Polkit"])
        }
        return onTerminal.failure
    }

    /// Returns the more specific of two failures: a user without a password rather than a desktop that can ask nobody. Logs
    /// why nobody can be asked on the terminal if nobody can be asked on the desktop either.
    private func tell(
        _ onTerminal: TerminalAuthenticator.Obstacle, orOnDesktop failure: PresenceFailure
    ) -> PresenceFailure {
        switch (onTerminal.failure, failure) {
        case (let other, .nobodyToAsk):
            onTerminal.explain()
            if case .noPassword = other { return other }
        case (_, .noPassword): onTerminal.explain()
        default: break
        }
        return failure
    }

    func enrolledBiometrySet() -> Data? { desktop?.enrolledBiometrySet() }

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        try terminal.secret(kind, for: request)
    }

    var greatestTries: Int { terminal.greatestTries }

    func tell(_ text: String) { terminal.tell(text) }
}
