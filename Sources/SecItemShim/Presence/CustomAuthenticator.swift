// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Asks through the application's closures.
struct CustomAuthenticator: PresenceAuthenticator {
    let recognisesBiometry: Bool
    let body: @Sendable (LinuxKeychain.AuthenticationRequest) throws -> Void
    let secretBody: (@Sendable (LinuxKeychain.SecretRequest) throws -> Data)?

    /// The application has the person type a new password twice.
    var repeatsNewPasswords: Bool { false }

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        methods.contains(.password) || recognisesBiometry ? nil : .noBiometry
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        do {
            try body(LinuxKeychain.AuthenticationRequest(request))
        } catch {
            // Threads that wait for the same answer have contexts of their own, and ask again.
            throw request.isCancelled ? .takenBack : .thrown(error)
        }
        if request.isCancelled { throw .takenBack }
    }

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        guard let secretBody else { throw .nobodyToAsk }
        let typed: Secret
        do {
            typed = Secret(wiping: try secretBody(LinuxKeychain.SecretRequest(.init(kind), request)))
        } catch {
            throw request.isCancelled ? .takenBack : .thrown(error)
        }
        if request.isCancelled { throw .takenBack }
        return typed
    }
}

extension LinuxKeychain.SecretRequest.Kind {
    fileprivate init(_ kind: WantedSecret) {
        self =
            switch kind {
            case .passphrase: .storePassphrase
            case .applicationPassword: .applicationPassword
            case .newApplicationPassword, .repeatedApplicationPassword: .newApplicationPassword
            }
    }
}
