#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Whether a certificate is trusted.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Keys of the dictionaries that describe the outcome of a trust evaluation

// Result of an evaluation

/// When the evaluation took place. Date.
extern const CFStringRef kSecTrustEvaluationDate;

/// Whether the certificate has extended validation. Boolean.
extern const CFStringRef kSecTrustExtendedValidation;

/// The organisation named by an extended validation certificate. String.
extern const CFStringRef kSecTrustOrganizationName;

/// The outcome: the number of a `SecTrustResultType`.
extern const CFStringRef kSecTrustResultValue;

/// Whether revocation was checked with a definite answer. Boolean.
extern const CFStringRef kSecTrustRevocationChecked;

/// Until when the answer on revocation holds. Date.
extern const CFStringRef kSecTrustRevocationValidUntilDate;

/// Whether the certificate is shown to be in a transparency log. Boolean.
extern const CFStringRef kSecTrustCertificateTransparency;

/// Whether the certificate was exempt from transparency. Boolean. Deprecated by Apple without a successor.
extern const CFStringRef kSecTrustCertificateTransparencyWhiteList;

/// The qualified certificate statements found. Array.
extern const CFStringRef kSecTrustQCStatements;

/// Whether the certificate is a qualified website certificate. Boolean.
extern const CFStringRef kSecTrustQWACValidation;

// Properties of an evaluated certificate

/// The title of a certificate in the chain. String.
extern const CFStringRef kSecPropertyTypeTitle;

/// What is wrong with a certificate in the chain. String.
extern const CFStringRef kSecPropertyTypeError;

// MARK: - The outcome of a trust evaluation, and its options

/// The outcome of a trust evaluation.
typedef CF_ENUM(uint32_t, SecTrustResultType) {
    /// Not evaluated yet.
    kSecTrustResultInvalid = 0,
    /// The user trusts the chain explicitly.
    kSecTrustResultProceed = 1,
    /// The user wants to be asked. No longer produced by Apple.
    kSecTrustResultConfirm = 2,
    /// The user distrusts the chain explicitly.
    kSecTrustResultDeny = 3,
    /// The chain is valid, and the user has made no setting for it.
    kSecTrustResultUnspecified = 4,
    /// The chain is not trusted, but the user may overrule that.
    kSecTrustResultRecoverableTrustFailure = 5,
    /// The chain is not trusted, and nothing can overrule that.
    kSecTrustResultFatalTrustFailure = 6,
    /// The evaluation failed for a reason other than trust.
    kSecTrustResultOtherError = 7,
};

/// How a trust evaluation is carried out.
typedef CF_OPTIONS(uint32_t, SecTrustOptionFlags) {
    /// Accept expired certificates other than the root.
    kSecTrustOptionAllowExpired = 1u << 0,
    /// Accept a leaf that is an authority.
    kSecTrustOptionLeafIsCA = 1u << 1,
    /// Fetch missing issuers from the network.
    kSecTrustOptionFetchIssuerFromNet = 1u << 2,
    /// Accept an expired root.
    kSecTrustOptionAllowExpiredRoot = 1u << 3,
    /// Demand a revocation check for every certificate.
    kSecTrustOptionRequireRevPerCert = 1u << 4,
    /// Use the trust settings of the user.
    kSecTrustOptionUseTrustSettings = 1u << 5,
    /// Trust self-signed certificates as anchors.
    kSecTrustOptionImplicitAnchors = 1u << 6,
};

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecTrustGetTypeID(void);

#if defined(__BLOCKS__)
/// Receives the outcome of an evaluation.
typedef void (^SecTrustCallback)(SecTrustRef trustRef, SecTrustResultType trustResult);

/// Receives whether the certificates are trusted, and why not.
typedef void (^SecTrustWithErrorCallback)(SecTrustRef trustRef, bool result, CFErrorRef _Nullable error);
#endif

/// Makes a trust of a certificate or an array of them, leaf first, and policies.
OSStatus SecTrustCreateWithCertificates(CFTypeRef certificates, CFTypeRef _Nullable policies, SecTrustRef _Nullable *_Nonnull trust);

/// Replaces the policies.
OSStatus SecTrustSetPolicies(SecTrustRef trust, CFTypeRef policies);

/// Gives the policies.
OSStatus SecTrustCopyPolicies(SecTrustRef trust, CFArrayRef _Nullable *_Nonnull policies);

/// Allows or forbids the network, which this library never uses.
OSStatus SecTrustSetNetworkFetchAllowed(SecTrustRef trust, Boolean allowFetch);

/// Tells whether the network is allowed.
OSStatus SecTrustGetNetworkFetchAllowed(SecTrustRef trust, Boolean *allowFetch);

/// Sets the authorities to trust.
OSStatus SecTrustSetAnchorCertificates(SecTrustRef trust, CFArrayRef _Nullable anchorCertificates);

/// Sets whether the machine's authorities are left out.
OSStatus SecTrustSetAnchorCertificatesOnly(SecTrustRef trust, Boolean anchorCertificatesOnly);

/// Gives the authorities that were set.
OSStatus SecTrustCopyCustomAnchorCertificates(SecTrustRef trust, CFArrayRef _Nullable *_Nonnull anchors);

/// Gives the machine's authorities.
OSStatus SecTrustCopyAnchorCertificates(CFArrayRef _Nullable *_Nonnull anchors);

/// Sets the time at which the certificates have to be valid.
OSStatus SecTrustSetVerifyDate(SecTrustRef trust, CFDateRef verifyDate);

/// Gives the time at which the certificates have to be valid.
CFAbsoluteTime SecTrustGetVerifyTime(SecTrustRef trust);

/// Sets what a responder said about revocation.
OSStatus SecTrustSetOCSPResponse(SecTrustRef trust, CFTypeRef _Nullable responseData);

/// Ignores timestamps of certificate logs, which are not checked.
OSStatus SecTrustSetSignedCertificateTimestamps(SecTrustRef trust, CFArrayRef _Nullable sctArray);

/// Sets options of the evaluation.
OSStatus SecTrustSetOptions(SecTrustRef trustRef, SecTrustOptionFlags options);

/// Tells whether the certificates are trusted, and why not.
bool SecTrustEvaluateWithError(SecTrustRef trust, CFErrorRef _Nullable *_Nullable error);

#if defined(__BLOCKS__)
/// Tells a block on the queue whether the certificates are trusted, and why not.
OSStatus SecTrustEvaluateAsyncWithError(SecTrustRef trust, dispatch_queue_t queue, SecTrustWithErrorCallback result);
#endif

/// An older form of `SecTrustEvaluateWithError`.
OSStatus SecTrustEvaluate(SecTrustRef trust, SecTrustResultType *result);

#if defined(__BLOCKS__)
/// An older form of `SecTrustEvaluateAsyncWithError`. `NULL` means the main queue.
OSStatus SecTrustEvaluateAsync(SecTrustRef trust, dispatch_queue_t _Nullable queue, SecTrustCallback result);
#endif

/// Gives the outcome of the last evaluation.
OSStatus SecTrustGetTrustResult(SecTrustRef trust, SecTrustResultType *result);

/// Gives the chain, leaf first.
CFArrayRef _Nullable SecTrustCopyCertificateChain(SecTrustRef trust);

/// Gives the number of certificates in the chain.
CFIndex SecTrustGetCertificateCount(SecTrustRef trust);

/// Gives a certificate of the chain. It belongs to the trust, and lives as long.
SecCertificateRef _Nullable SecTrustGetCertificateAtIndex(SecTrustRef trust, CFIndex ix);

/// Gives the leaf's public key.
SecKeyRef _Nullable SecTrustCopyKey(SecTrustRef trust);

/// An older form of `SecTrustCopyKey`.
SecKeyRef _Nullable SecTrustCopyPublicKey(SecTrustRef trust);

/// Describes the outcome.
CFDictionaryRef _Nullable SecTrustCopyResult(SecTrustRef trust);

/// Describes the chain's certificates.
CFArrayRef _Nullable SecTrustCopyProperties(SecTrustRef trust);

/// Gives what a later evaluation has to tolerate to trust the same chain.
CFDataRef _Nullable SecTrustCopyExceptions(SecTrustRef trust);

/// Sets what the evaluation tolerates.
bool SecTrustSetExceptions(SecTrustRef trust, CFDataRef _Nullable exceptions);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
