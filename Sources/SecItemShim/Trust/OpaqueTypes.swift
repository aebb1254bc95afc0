// SPDX-License-Identifier: Apache-2.0

// Types that signatures and enumerations of clients name. Nothing here makes an object of them.

import Foundation

/// Who may use an item of the Mac's file keychain, which is not there. Apple:
/// [SecAccess](https://developer.apple.com/documentation/security/secaccess).
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// A file keychain of the Mac, of which there are none here. Apple:
/// [SecKeychain](https://developer.apple.com/documentation/security/seckeychain).
public final class SecKeychain: NSObject, @unchecked Sendable {
    private override init() {}
}

/// A program in an access list of the Mac's file keychain, which is not there. Apple:
/// [SecTrustedApplication](https://developer.apple.com/documentation/security/sectrustedapplication).
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
    private override init() {}
}

extension SecAccess: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.access
}

extension SecKeychain: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.keychain
}

extension SecTrustedApplication: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.trustedApplication
}
