// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Describes the content of a certificate: a dictionary of entries. Each entry is a dictionary with the keys
/// `kSecPropertyKey…`.
///
/// ```swift
/// let keys = [kSecOIDX509V1ValidityNotAfter, kSecOIDSubjectAltName] as CFArray
/// let values = SecCertificateCopyValues(certificate, keys, nil) as? [String: [String: Any]]
/// let end = values?[kSecOIDX509V1ValidityNotAfter as String]?[kSecPropertyKeyValue as String] as? Double
/// ```
///
/// The type of an entry, one of `kSecPropertyType…`, determines its value: a string, data, a URL, a date, a number, an
/// array of strings or data, or a section, which is an array of entries. Labels and texts are Apple's, in English.
///
/// | key | value |
/// | --- | --- |
/// | `kSecOIDX509V1SubjectName`, `kSecOIDX509V1IssuerName` | a section with a string for each part of the name, labelled with its identifier |
/// | `kSecOIDX509V1Version`, `kSecOIDX509V1SerialNumber` | strings; a serial number of more than eight bytes in hexadecimal digits |
/// | `kSecOIDX509V1ValidityNotBefore`, `kSecOIDX509V1ValidityNotAfter` | numbers: seconds since the beginning of 2001, UTC |
/// | `kSecOIDInvalidityDate` | the date at which a certificate ends that is valid now; for others the key is `Expired` or `Valid from` |
/// | `kSecOIDX509V1SignatureAlgorithm`, `kSecOIDX509V1SubjectPublicKeyAlgorithm` | sections: `Algorithm`, `Parameters` |
/// | `kSecOIDX509V1SubjectPublicKey`, `kSecOIDX509V1Signature` | data |
/// | `kSecOIDX509V1CertificateSubjectUniqueId`, `…IssuerUniqueId` | data, where they are there |
/// | `kSecOIDCommonName`, `kSecOIDEmailAddress`, `DNSNAMES`, `IPADDRESSES` | arrays of strings, where there are some |
/// | `kSecOIDKeyUsage` | a number: the bits of ``SecKeyUsage``, 0 without the extension |
/// | `kSecOIDExtendedKeyUsage` | an array of data: the bytes of the purposes' identifiers |
/// | the identifier of any other extension | a section: `Critical`, then what the extension says |
/// | `Fingerprints` | a section: `SHA-256` and `SHA-1` |
///
/// If an extension is not known, its entry has the texts of its sequence as `Data`, or else its bytes as `Unparsed
/// Data`. Damaged values are included as data too, with a label that begins with `Invalid`.
///
/// Any thread may call this. Apple:
/// [SecCertificateCopyValues](https://developer.apple.com/documentation/security/seccertificatecopyvalues(_:_:_:)). On
/// Apple's platforms, `kSecOIDEmailAddress` and `IPADDRESSES` hold the names of hosts by mistake.
///
/// - Parameters:
///   - certificate: The certificate.
///   - keys: The keys to include; nil for all. Unknown keys are ignored.
///   - error: Receives `errSecDataTooLarge` if the certificate has more than 16384 values. A call that succeeds does
///     not change it.
/// - Returns: The entries by their keys, or nil on failure. Nil also if a key is not a string.
@discardableResult
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    let wanted = WantedKeys(keys)
    guard wanted.areTexts else { return nil }
    return answer(to: error) { () throws(KeychainError) in
        var entries = try CertificateValues(certificate).entries
        if let texts = wanted.texts { entries = entries.filter { texts.contains($0.key) } }
        return entries.mapValues(\.dictionary) as NSDictionary
    }
}

private struct WantedKeys {
    /// Nil if the caller wants all entries.
    let texts: Set<String>?
    let areTexts: Bool

    init(_ keys: CFArray?) {
        let elements = keys?.callerElements
        let texts = elements?.compactMap { ($0 as? NSString).map { $0 as String } }
        areTexts = texts?.count == elements?.count
        self.texts = texts.map(Set.init)
    }
}

/// Gives the usual name of a certificate, the same as ``SecCertificateCopyShortDescription(_:_:_:)``, as on Apple's
/// platforms. Apple:
/// [SecCertificateCopyLongDescription](https://developer.apple.com/documentation/security/seccertificatecopylongdescription(_:_:_:)).
///
/// - Parameters:
///   - alloc: Ignored.
///   - certificate: The certificate.
///   - error: Never changed.
/// - Returns: A text that is never empty.
@discardableResult
public func SecCertificateCopyLongDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    SecCertificateCopyShortDescription(alloc, certificate, error)
}

/// Gives the usual name of a certificate.
///
/// The name is the subject's last common name, or else its first organizational unit, organization or e-mail address,
/// followed by the subject's first description in brackets. If the subject has none of these, it is any text of the
/// subject, or else an e-mail address of the alternative names, or else `X509 Certificate`. Apple:
/// [SecCertificateCopyShortDescription](https://developer.apple.com/documentation/security/seccertificatecopyshortdescription(_:_:_:)).
///
/// - Parameters:
///   - alloc: Ignored.
///   - certificate: The certificate.
///   - error: Never changed.
/// - Returns: A text that is never empty.
@discardableResult
public func SecCertificateCopyShortDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    NSString(string: certificate.parts.label)
}

/// Gives the issuer's normalised name. Deprecated by Apple in favour of
/// ``SecCertificateCopyNormalizedIssuerSequence(_:)``, which gives the same.
///
/// - Parameters:
///   - certificate: The certificate.
///   - error: Never changed.
/// - Returns: The name in DER, or nil if it cannot be read.
@discardableResult
public func SecCertificateCopyNormalizedIssuerContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedIssuerSequence(certificate)
}

/// Gives the subject's normalised name. Deprecated by Apple in favour of
/// ``SecCertificateCopyNormalizedSubjectSequence(_:)``, which gives the same.
///
/// - Parameters:
///   - certificate: The certificate.
///   - error: Never changed.
/// - Returns: The name in DER, or nil if it cannot be read.
@discardableResult
public func SecCertificateCopyNormalizedSubjectContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedSubjectSequence(certificate)
}
