// SPDX-License-Identifier: Apache-2.0

// Passwords that an application shares with its website through Safari. There is nobody to share with here.

import Foundation

/// Saves, changes or deletes a password that is shared with a website. Not there. Apple:
/// [SecAddSharedWebCredential](https://developer.apple.com/documentation/security/secaddsharedwebcredential(_:_:_:_:)).
///
/// - Parameters:
///   - fqdn: The website's host.
///   - account: The account.
///   - password: The password, or nil to delete it.
///   - completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping @Sendable (CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(NSError(status: errSecUnimplemented)) }
}

/// Asks the user for a password that is shared with a website. Not there. Apple:
/// [SecRequestSharedWebCredential](https://developer.apple.com/documentation/security/secrequestsharedwebcredential(_:_:_:)).
///
/// - Parameters:
///   - fqdn: The website's host, or nil for those of the application.
///   - account: The account, or nil for any.
///   - completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(nil, NSError(status: errSecUnimplemented)) }
}
