// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Asks where the person is: on the program's terminal if it has one, else through what the desktop has for that.
///
/// Fingers alone are asked for through the desktop also from a terminal.
struct AutomaticAuthenticator: PresenceAuthenticator {
    private let terminal = TerminalAuthenticator()
    private let desktop = findDesktopAuthenticator()

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        guard let obstacle = terminal.obstacle(to: methods) else { return nil }
        guard let desktop else {
            explainLackOfDesktop(obstacle)
            return obstacle
        }
        return desktop.obstacle(to: methods).map { obstacle.orTelling($0) }
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        guard let obstacle = terminal.obstacle(to: request.methods) else { return try terminal.authenticate(request) }
        guard let desktop else {
            explainLackOfDesktop(obstacle)
            throw obstacle
        }
        do throws(PresenceFailure) {
            try desktop.authenticate(request)
        } catch {
            throw obstacle.orTelling(error)
        }
    }

    private func explainLackOfDesktop(_ obstacle: PresenceFailure) {
        guard case .nobodyToAsk = obstacle else { return }
        KeychainCalls.logger.once(
            .notice, "nobody can be asked",
            metadata: ["reason": "the program has no terminal, and is built without the trait Polkit"])
    }

    func enrolledBiometrySet() -> Data? { desktop?.enrolledBiometrySet() }

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        try terminal.secret(kind, for: request)
    }

    var greatestTries: Int { terminal.greatestTries }

    func tell(_ text: String) { terminal.tell(text) }
}

extension PresenceFailure {
    /// What says more: of a user without a password, that, where nobody can be asked on the desktop either.
    fileprivate func orTelling(_ other: PresenceFailure) -> PresenceFailure {
        if case (.noPassword, .nobodyToAsk) = (self, other) { self } else { other }
    }
}

/// What asks on a desktop; nil in a package that was built without the trait for it.
///
/// Made in `SecItemSelection`, and found by its name when the program is linked: docs/architecture.md, decision 17.
@_silgen_name("secitem_find_desktop_authenticator")
func findDesktopAuthenticator() -> (any PresenceAuthenticator)?
