#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Certificates and what they contain.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - The key usage extension of a certificate

/// What the key of a certificate may be used for.
typedef CF_OPTIONS(uint32_t, SecKeyUsage) {
    /// No flag at all.
    kSecKeyUsageUnspecified = 0,
    /// Digital signatures.
    kSecKeyUsageDigitalSignature = 1u << 0,
    /// Signatures that cannot be disowned.
    kSecKeyUsageNonRepudiation = 1u << 1,
    /// The newer name of `kSecKeyUsageNonRepudiation`.
    kSecKeyUsageContentCommitment = 1u << 1,
    /// Encryption of keys.
    kSecKeyUsageKeyEncipherment = 1u << 2,
    /// Encryption of data.
    kSecKeyUsageDataEncipherment = 1u << 3,
    /// Key agreement.
    kSecKeyUsageKeyAgreement = 1u << 4,
    /// Signing of certificates.
    kSecKeyUsageKeyCertSign = 1u << 5,
    /// Signing of revocation lists.
    kSecKeyUsageCRLSign = 1u << 6,
    /// Key agreement for encryption only.
    kSecKeyUsageEncipherOnly = 1u << 7,
    /// Key agreement for decryption only.
    kSecKeyUsageDecipherOnly = 1u << 8,
    /// The extension is critical.
    kSecKeyUsageCritical = 1u << 31,
    /// Every use.
    kSecKeyUsageAll = 0x7FFFFFFF,
};

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecCertificateGetTypeID(void);

/// Reads a certificate in DER.
SecCertificateRef _Nullable SecCertificateCreateWithData(CFAllocatorRef _Nullable allocator, CFDataRef data);

/// Gives the certificate in DER.
CFDataRef SecCertificateCopyData(SecCertificateRef certificate);

/// Gives the subject for people.
CFStringRef _Nullable SecCertificateCopySubjectSummary(SecCertificateRef certificate);

/// Gives the subject's common name.
OSStatus SecCertificateCopyCommonName(SecCertificateRef certificate, CFStringRef _Nullable *_Nonnull commonName);

/// Gives the subject's addresses.
OSStatus SecCertificateCopyEmailAddresses(SecCertificateRef certificate, CFArrayRef _Nullable *_Nonnull emailAddresses);

/// Gives the issuer's name, normalised, in DER.
CFDataRef _Nullable SecCertificateCopyNormalizedIssuerSequence(SecCertificateRef certificate);

/// Gives the subject's name, normalised, in DER.
CFDataRef _Nullable SecCertificateCopyNormalizedSubjectSequence(SecCertificateRef certificate);

/// Gives the content of the issuer's normalised name.
CFDataRef _Nullable SecCertificateCopyNormalizedIssuerContent(SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);

/// Gives the content of the subject's normalised name.
CFDataRef _Nullable SecCertificateCopyNormalizedSubjectContent(SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);

/// Gives the certificate's public key.
SecKeyRef _Nullable SecCertificateCopyKey(SecCertificateRef certificate);

/// An older form of `SecCertificateCopyKey`.
SecKeyRef _Nullable SecCertificateCopyPublicKey(SecCertificateRef certificate);

/// Gives the serial number.
CFDataRef _Nullable SecCertificateCopySerialNumberData(SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);

/// An older form of `SecCertificateCopySerialNumberData`.
CFDataRef _Nullable SecCertificateCopySerialNumber(SecCertificateRef certificate);

/// Gives the start of the certificate's validity.
CFDateRef _Nullable SecCertificateCopyNotValidBeforeDate(SecCertificateRef certificate);

/// Gives the end of the certificate's validity.
CFDateRef _Nullable SecCertificateCopyNotValidAfterDate(SecCertificateRef certificate);

/// Describes the certificate's fields and extensions.
CFDictionaryRef _Nullable SecCertificateCopyValues(SecCertificateRef certificate, CFArrayRef _Nullable keys, CFErrorRef _Nullable *_Nullable error);

/// Describes the certificate in a line.
CFStringRef _Nullable SecCertificateCopyLongDescription(CFAllocatorRef _Nullable alloc, SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);

/// Describes the certificate in a few words.
CFStringRef _Nullable SecCertificateCopyShortDescription(CFAllocatorRef _Nullable alloc, SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
