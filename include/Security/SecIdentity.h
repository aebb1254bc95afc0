#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// A certificate and its private key.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Domains of the identities that serve a whole machine

// Domains

/// The identity that services use by default.
extern const CFStringRef kSecIdentityDomainDefault;

/// The identity of the Kerberos key distribution centre.
extern const CFStringRef kSecIdentityDomainKerberosKDC;

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecIdentityGetTypeID(void);

/// Makes an identity.
SecIdentityRef _Nullable SecIdentityCreate(CFAllocatorRef _Nullable allocator, SecCertificateRef certificate, SecKeyRef privateKey);

/// Gives an identity's certificate.
OSStatus SecIdentityCopyCertificate(SecIdentityRef identityRef, SecCertificateRef _Nullable *_Nonnull certificateRef);

/// Gives an identity's private key.
OSStatus SecIdentityCopyPrivateKey(SecIdentityRef identityRef, SecKeyRef _Nullable *_Nonnull privateKeyRef);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
