// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate and the private key that belongs to it. Apple:
/// [SecIdentity](https://developer.apple.com/documentation/security/secidentity).
///
/// `SecIdentityCreate` makes one, and `SecPKCS12Import` reads them from files. The keychain returns one for
/// `kSecClassIdentity` with `kSecReturnRef`.
public final class SecIdentity: _CFObject, @unchecked Sendable {
    package let certificate: SecCertificate
    package let privateKey: SecKey

    package init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        self.certificate = certificate
        self.privateKey = privateKey
    }
}

extension SecIdentity: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.identity

    package func isEqual(to other: SecIdentity) -> Bool {
        certificate == other.certificate && privateKey == other.privateKey
    }

    package var hashCode: Int { certificate.hashCode }
}

/// Gives the type identifier of identities, to compare with the result of `CFGetTypeID`.
@discardableResult
public func SecIdentityGetTypeID() -> CFTypeID {
    SecIdentity.typeIdentifier
}

/// Makes an identity from a certificate and a private key. Does not check whether they belong together. Apple:
/// [SecIdentityCreate](https://developer.apple.com/documentation/security/secidentitycreate(_:_:_:)).
///
/// - Parameters:
///   - allocator: Ignored.
///   - certificate: The certificate.
///   - privateKey: The private key.
/// - Returns: The identity, or nil if the key is a public one.
@discardableResult
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    privateKey.material.isPrivate ? SecIdentity(certificate, privateKey) : nil
}

/// Gives the certificate of an identity. Apple:
/// [SecIdentityCopyCertificate](https://developer.apple.com/documentation/security/secidentitycopycertificate(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Gives the private key of an identity. Apple:
/// [SecIdentityCopyPrivateKey](https://developer.apple.com/documentation/security/secidentitycopyprivatekey(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKeyRef.pointee = identityRef.privateKey
    return errSecSuccess
}
