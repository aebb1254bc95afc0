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
        // Nobody has a password elsewhere, either.
        if obstacle.isLackOfPassword { return obstacle }
        return desktop.map { $0.obstacle(to: methods) } ?? obstacle
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        guard let obstacle = terminal.obstacle(to: request.methods) else { return try terminal.authenticate(request) }
        guard let desktop, !obstacle.isLackOfPassword else { throw obstacle }
        try desktop.authenticate(request)
    }

    func enrolledBiometrySet() -> Data? { desktop?.enrolledBiometrySet() }

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        try terminal.secret(kind, for: request)
    }
}

extension PresenceFailure {
    fileprivate var isLackOfPassword: Bool {
        if case .noPassword = self { true } else { false }
    }
}

/// What asks on a desktop; nil in a package that was built without the trait for it.
///
/// Made in `SecItemSelection`, and found by its name when the program is linked: docs/architecture.md, decision 17.
@_silgen_name("secitem_find_desktop_authenticator")
func findDesktopAuthenticator() -> (any PresenceAuthenticator)?
