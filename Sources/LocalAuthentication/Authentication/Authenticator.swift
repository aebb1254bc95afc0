/// A way to find out whether the person at the machine is its owner.
///
/// This is the place for polkit and PAM. Until one of them is here, ``NoAuthenticator`` stands in it.
protocol Authenticator: Sendable {
    /// Why a policy cannot be evaluated on this machine, or `nil` if somebody can be asked.
    func obstacle(to policy: LAPolicy) -> LAError.Code?

    /// Asks, and waits for the answer. Called on a thread that may block.
    ///
    /// - Parameter reason: What the application says it is for.
    /// - Throws: Why the person is not known to be the owner.
    func authenticate(_ policy: LAPolicy, reason: String) throws(LAError)
}
