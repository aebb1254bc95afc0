// Passwords that an application shares with its website through Safari. There is nobody to share with here.

import Foundation

/// Saves, changes or deletes a password that is shared with a website. Not there. Apple:
/// [SecAddSharedWebCredential](https://developer.apple.com/documentation/security/secaddsharedwebcredential(_:_:_:_:)).
///
/// - Parameter completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping @Sendable (CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(NSError(status: errSecUnimplemented)) }
}

/// Asks the user for a password that is shared with a website. Not there. Apple:
/// [SecRequestSharedWebCredential](https://developer.apple.com/documentation/security/secrequestsharedwebcredential(_:_:_:)).
///
/// - Parameter completionHandler: Called once, on another thread, with an error of the code `errSecUnimplemented`.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
    DispatchQueue.global().async { completionHandler(nil, NSError(status: errSecUnimplemented)) }
}
