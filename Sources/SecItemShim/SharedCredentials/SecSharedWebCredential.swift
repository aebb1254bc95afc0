// SPDX-License-Identifier: Apache-2.0

// Passwords that an application shares with its website through Safari. Linux has no counterpart.

import Foundation

/// Fails with `errSecUnimplemented`. On Apple's platforms it saves, changes or deletes a password that is shared with a
/// website. Apple:
/// [SecAddSharedWebCredential](https://developer.apple.com/documentation/security/secaddsharedwebcredential(_:_:_:_:)).
///
/// - Parameters:
///   - fqdn: The website's host.
///   - account: The account.
///   - password: The password, or nil to delete it.
///   - completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
@preconcurrency
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping @Sendable (CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(NSError(status: errSecUnimplemented)) }
}

/// Fails with `errSecUnimplemented`. On Apple's platforms it asks the user for a password that is shared with a
/// website. Apple:
/// [SecRequestSharedWebCredential](https://developer.apple.com/documentation/security/secrequestsharedwebcredential(_:_:_:)).
///
/// - Parameters:
///   - fqdn: The website's host, or nil for the application's websites.
///   - account: The account, or nil for any.
///   - completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
@preconcurrency
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(nil, NSError(status: errSecUnimplemented)) }
}
