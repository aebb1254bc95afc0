// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Makes an access control from a protection class and conditions.
///
///     var error: Unmanaged<CFError>?
///     let control = SecAccessControlCreateWithFlags(
///         nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, &error
///     )
///     // query[kSecAttrAccessControl as String] = control
///
/// Three combinations contradict themselves and are refused: `or` with `and`; `biometryAny` with
/// `biometryCurrentSet`; and `userPresence` with anything but `applicationPassword` and `privateKeyUsage`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - protection: One of the `kSecAttrAccessible…` constants.
///   - flags: The conditions beyond the protection class. May be empty.
///   - error: Receives the reason if nothing is made: an error of the domain `NSOSStatusErrorDomain` with the code
///     `errSecParam`, which the caller releases. Unchanged on success.
/// - Returns: The access control, or nil if the protection is unknown or the flags contradict themselves.
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    // For the caller alone, because it contains the caller's value.
    var message: String?
    do throws(KeychainError) {
        // The text of another object may have no end, and one of C may have parts that end the process.
        let text = protection as? String
        guard let name = text, protectionClasses.contains(CallerText(name)) else {
            message = "SecAccessControl: invalid protection" + (text.map { ": \($0)" } ?? "")
            throw KeychainError.param("the protection of an access control is unknown")
        }
        if let contradiction = contradiction(in: flags) { throw KeychainError.param(contradiction) }
        return SecAccessControl(protection: name, flags: flags)
    } catch let failure {
        error?.store(status: failure.status, message: message ?? failure.message)
        return nil
    }
}

/// The values of the `kSecAttrAccessible…` constants: when unlocked, after the first unlock and always, each also for this
/// device only; with a passcode only; and the one that Apple uses for system items.
private let protectionClasses: Set<CallerText> = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu", "f"]

/// Why the flags exclude each other; nil if they do not.
private func contradiction(in flags: SecAccessControlCreateFlags) -> String? {
    if flags.isSuperset(of: [.or, .and]) {
        return "The flags .or and .and exclude each other."
    }
    if flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) {
        return "The flags .biometryAny and .biometryCurrentSet exclude each other."
    }
    if flags.contains(.userPresence),
        !flags.isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    {
        return "The flag .userPresence goes with .applicationPassword and .privateKeyUsage only."
    }
    return nil
}
