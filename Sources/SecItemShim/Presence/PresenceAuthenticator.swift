// SPDX-License-Identifier: Apache-2.0

/// A way to find out whether the person at the machine is its owner.
package protocol PresenceAuthenticator: Sendable {
    /// Why nobody can prove that by any of the methods on this machine, or nil if somebody can be asked. Asks nobody.
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure?

    /// Asks, and waits for the answer. Called on a thread that may block, by one thread at a time.
    ///
    /// - Throws: Why the person is not known to be the owner.
    func authenticate(_ request: PresenceRequest) throws(PresenceFailure)
}

/// Nobody is asked.
struct NoAuthenticator: PresenceAuthenticator {
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        methods.contains(.password) ? .noPassword : .noBiometry
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        throw obstacle(to: request.methods) ?? .nobodyToAsk
    }
}
