// SPDX-License-Identifier: Apache-2.0

/// The application's own way of asking.
struct CustomAuthenticator: PresenceAuthenticator {
    let recognisesBiometry: Bool
    let body: @Sendable (LinuxKeychain.AuthenticationRequest) throws -> Void

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        methods.contains(.password) || recognisesBiometry ? nil : .noBiometry
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        if let obstacle = obstacle(to: request.methods) { throw obstacle }
        do {
            try body(LinuxKeychain.AuthenticationRequest(request))
        } catch {
            // Others may wait for the same answer: theirs was not taken back.
            throw request.isCancelled ? .takenBack : .thrown(error)
        }
        if request.isCancelled { throw .takenBack }
    }
}
