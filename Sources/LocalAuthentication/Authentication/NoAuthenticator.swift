/// A machine that cannot authenticate anybody: it has neither biometry nor a passcode.
struct NoAuthenticator: Authenticator {
    func obstacle(to policy: LAPolicy) -> LAError.Code? {
        reason(against: policy)
    }

    func authenticate(_ policy: LAPolicy, reason: String) throws(LAError) {
        throw self.reason(against: policy).error
    }

    /// Where biometry would do, its absence; elsewhere the absence of a passcode, which all else rests on.
    private func reason(against policy: LAPolicy) -> LAError.Code {
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion:
            .biometryNotAvailable
        case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
            .deviceOwnerAuthenticationWithWristDetection:
            .passcodeNotSet
        }
    }
}
