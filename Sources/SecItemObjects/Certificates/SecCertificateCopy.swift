// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives the bytes of a certificate, in DER. Apple:
/// [SecCertificateCopyData](https://developer.apple.com/documentation/security/seccertificatecopydata(_:)).
@discardableResult
@_weakLinked  // Not missed by a program that never calls it: docs/decisions.md, 17.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    ResultData(certificate.bytes)
}

/// Gives the public key of a certificate, or nil if its type is not supported. RSA and the curves P-192, P-224,
/// P-256, P-384 and P-521 are supported. Apple:
/// [SecCertificateCopyKey](https://developer.apple.com/documentation/security/seccertificatecopykey(_:)).
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    keyMaterial(ofPublicKeyInfo: certificate.parts.publicKeyInfo).map(SecKey.init)
}

/// Gives the public key of a certificate, with the older name on iOS. Deprecated by Apple in favour of
/// `SecCertificateCopyKey`.
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
    SecCertificateCopyKey(certificate)
}

/// Gives the public key of a certificate, with the older name on macOS. Deprecated by Apple in favour of
/// `SecCertificateCopyKey`.
///
/// - Returns: `errSecSuccess`, or `errSecDecode` if the type of the key is not supported; then `key` does not change.
@discardableResult
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let found = SecCertificateCopyKey(certificate) else { return errSecDecode }
    key.pointee = found
    return errSecSuccess
}

/// Gives a short text for people that says whose certificate it is; nil if the certificate names nobody.
///
/// The text has the subject's common names, the last one first, and the subject's descriptions in brackets. If the
/// subject has no common name, the text is the first of these that exists: an e-mail address, a host, the
/// organizational units, the organizations, all parts of the subject's name. Apple:
/// [SecCertificateCopySubjectSummary](https://developer.apple.com/documentation/security/seccertificatecopysubjectsummary(_:)).
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.parts.summary.map { NSString(string: $0) }
}

/// Gives the last common name of a certificate's subject. Apple:
/// [SecCertificateCopyCommonName](https://developer.apple.com/documentation/security/seccertificatecopycommonname(_:_:)).
///
/// - Parameters:
///   - certificate: The certificate.
///   - commonName: Receives the name. It does not change if there is no common name.
/// - Returns: `errSecSuccess`, or -26276 if there is no common name. Apple's name for this status, `errSecInternal`, is
///   not public.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.parts.subject.commonName else { return unpublishedInternalError }
    commonName.pointee = NSString(string: name)
    return errSecSuccess
}

private let unpublishedInternalError: OSStatus = -26276

/// Gives the e-mail addresses of a certificate: those of its alternative names, followed by those of its subject.
/// Apple:
/// [SecCertificateCopyEmailAddresses](https://developer.apple.com/documentation/security/seccertificatecopyemailaddresses(_:_:)).
///
/// - Parameters:
///   - certificate: The certificate.
///   - emailAddresses: Receives an array of strings, which may be empty.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = certificate.parts.emailAddresses as NSArray
    return errSecSuccess
}

/// Gives the issuer's name in DER, in a normalised form: names with the same meaning have equal bytes. Texts of the
/// type PrintableString are in capitals and without superfluous spaces. Nil if the name cannot be read. Apple:
/// [SecCertificateCopyNormalizedIssuerSequence](https://developer.apple.com/documentation/security/seccertificatecopynormalizedissuersequence(_:)).
@discardableResult
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.parts.issuer.normalized.map(ResultData.init)
}

/// Gives the subject's name in DER, in a normalised form: names with the same meaning have equal bytes. Texts of the
/// type PrintableString are in capitals and without superfluous spaces. Nil if the name cannot be read. Apple:
/// [SecCertificateCopyNormalizedSubjectSequence](https://developer.apple.com/documentation/security/seccertificatecopynormalizedsubjectsequence(_:)).
@discardableResult
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.parts.subject.normalized.map(ResultData.init)
}

/// Gives the bytes of a certificate's serial number, as they are in the certificate. Apple:
/// [SecCertificateCopySerialNumberData](https://developer.apple.com/documentation/security/seccertificatecopyserialnumberdata(_:_:)).
///
/// - Parameters:
///   - certificate: The certificate.
///   - error: Never changed: every certificate has a serial number.
@discardableResult
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    ResultData(certificate.parts.serialNumber)
}

/// Gives the serial number of a certificate, with the older signature on iOS. Deprecated by Apple in favour of
/// `SecCertificateCopySerialNumberData`.
@discardableResult
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
    SecCertificateCopySerialNumberData(certificate, nil)
}

/// Gives the serial number of a certificate, with the older signature on macOS. Deprecated by Apple in favour of
/// `SecCertificateCopySerialNumberData`.
@discardableResult
public func SecCertificateCopySerialNumber(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopySerialNumberData(certificate, error)
}

/// Gives the date from which a certificate is valid; nil if that date cannot be read. Apple:
/// [SecCertificateCopyNotValidBeforeDate](https://developer.apple.com/documentation/security/seccertificatecopynotvalidbeforedate(_:)).
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    (try? CertificateValidity(ofCertificate: certificate.bytes)).map { $0.start as NSDate }
}

/// Gives the date until which a certificate is valid; nil if that date cannot be read. Apple:
/// [SecCertificateCopyNotValidAfterDate](https://developer.apple.com/documentation/security/seccertificatecopynotvalidafterdate(_:)).
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    (try? CertificateValidity(ofCertificate: certificate.bytes)).map { $0.end as NSDate }
}
