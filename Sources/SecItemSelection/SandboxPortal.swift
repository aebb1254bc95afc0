// SPDX-License-Identifier: Apache-2.0

import SecItemSQLite
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Asks the portal outside the sandbox for the application's secret.
struct SandboxPortal: Sendable {
    /// The portal's answer.
    enum Outcome: Sendable {
        case secret(PortalProtector.Answer)
        /// There is no portal, with the reason.
        case absent(StoreError)
        /// There is a portal, but it gave no secret, with the reason.
        case failed(StoreError)
    }

    private let ask: @Sendable (_ token: String?) -> Outcome

    /// Asks the portal and waits, up to two minutes if a person has to unlock the keyring first.
    func secret(token: String?) -> Outcome { Turn.whileAsking { ask(token) } }

    #if Gnome || Desktop
        /// The portal on the session bus.
        init(environment: [String: String], limits: SecretPortal.TimeLimits = SecretPortal.TimeLimits()) {
            let portal = SecretPortal(environment: environment, limits: limits)
            ask = { token in
                do throws(SecretPortal.Failure) {
                    let answer = try portal.secret(token: token)
                    return .secret(PortalProtector.Answer(secret: answer.secret, token: answer.token))
                } catch {
                    if case .absent = error { return .absent(error.storeError) }
                    return .failed(error.storeError)
                }
            }
        }
    #else
        init(environment: [String: String]) {
            ask = { _ in .absent(StoreError(.unavailable, "the package was built without its trait Gnome")) }
        }
    #endif
}
