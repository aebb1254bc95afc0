import Foundation

/// Whether the program runs with more rights than whoever started it.
///
/// A program that is set-user-ID, set-group-ID or has file capabilities is started by somebody who may not do what it may,
/// and who sets its environment. Everything in this package reads the environment here, so that such a program believes
/// none of it: not where the store is, nor where the passphrase, the home, the session bus or the run-time folder are.
package enum SecureExecution {
    /// What the kernel says. It stays true when the program gives up its rights.
    package static let isActive = systemValue(atSecure) != 0

    /// The environment as far as it can be believed: empty in a program that runs with more rights than its caller.
    package static var environment: [String: String] {
        isActive ? [:] : ProcessInfo.processInfo.environment
    }

    /// `AT_SECURE` of <elf.h>.
    private static let atSecure: UInt = 23
}

/// `getauxval(3)`, whose header Foundation does not import. Integers are passed alike in C and in Swift.
@_silgen_name("getauxval")
private func systemValue(_ type: UInt) -> UInt
