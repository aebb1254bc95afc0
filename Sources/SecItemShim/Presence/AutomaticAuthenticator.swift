// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Asks on the program's terminal if it has one, otherwise through the desktop. Policies that accept only a fingerprint
/// always ask through the desktop.
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
    /// The more specific of two reasons: a user without a password rather than a desktop that can ask nobody.
    fileprivate func orTelling(_ other: PresenceFailure) -> PresenceFailure {
        if case (.noPassword, .nobodyToAsk) = (self, other) { self } else { other }
    }
}

/// The authenticator that asks on a desktop; nil if the package was built without the trait for it.
///
/// `SecItemSelection` defines the function, and the linker finds it by its name: docs/architecture.md, decision 17.
@_silgen_name("secitem_find_desktop_authenticator")
func findDesktopAuthenticator() -> (any PresenceAuthenticator)?
