// Types that signatures and enumerations of clients name. Nothing here makes an object of them yet.

import Foundation

/// Whether a chain of certificates is to be believed. Nothing makes one yet. Apple:
/// [SecTrust](https://developer.apple.com/documentation/security/sectrust).
public final class SecTrust: NSObject, @unchecked Sendable {
    private override init() {}
}

/// Who may use an item of the Mac's file keychain, which is not there. Apple:
/// [SecAccess](https://developer.apple.com/documentation/security/secaccess).
public final class SecAccess: NSObject, @unchecked Sendable {
    private override init() {}
}

/// A program in an access list of the Mac's file keychain, which is not there. Apple:
/// [SecTrustedApplication](https://developer.apple.com/documentation/security/sectrustedapplication).
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
    private override init() {}
}

extension SecTrust: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.trust
}

extension SecAccess: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.access
}

extension SecTrustedApplication: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.trustedApplication
}

/// Gives the type identifier of trusts, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecTrustGetTypeID() -> CFTypeID {
    SecTrust.typeIdentifier
}
