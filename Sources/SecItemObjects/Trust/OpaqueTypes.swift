// SPDX-License-Identifier: Apache-2.0

// Types that clients name in signatures and enumerations. No function here creates an object of them.

import Foundation

/// The access control of an item in the Mac's file keychain, which does not exist on Linux. Apple:
/// [SecAccess](https://developer.apple.com/documentation/security/secaccess).
public final class SecAccess: _CFObject, @unchecked Sendable {
    private init() {}
}

/// A file keychain of the Mac, which does not exist on Linux. Apple:
/// [SecKeychain](https://developer.apple.com/documentation/security/seckeychain).
public final class SecKeychain: _CFObject, @unchecked Sendable {
    private init() {}
}

/// A program in an access list of the Mac's file keychain, which does not exist on Linux. Apple:
/// [SecTrustedApplication](https://developer.apple.com/documentation/security/sectrustedapplication).
public final class SecTrustedApplication: _CFObject, @unchecked Sendable {
    private init() {}
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
