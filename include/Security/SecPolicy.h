#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// What a trust evaluation demands.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Identifiers of trust policies, and the keys of the dictionary that describes one

// Policies

/// The basic rules for X.509 chains.
extern const CFStringRef kSecPolicyAppleX509Basic;

/// TLS servers and clients.
extern const CFStringRef kSecPolicyAppleSSL;

/// Signed and encrypted mail.
extern const CFStringRef kSecPolicyAppleSMIME;

/// Network access with EAP.
extern const CFStringRef kSecPolicyAppleEAP;

/// IPsec.
extern const CFStringRef kSecPolicyAppleIPsec;

/// Encrypted chat with iChat. Deprecated by Apple without a successor.
extern const CFStringRef kSecPolicyAppleiChat;

/// Kerberos clients that log in with a certificate.
extern const CFStringRef kSecPolicyApplePKINITClient;

/// Kerberos servers that log in with a certificate.
extern const CFStringRef kSecPolicyApplePKINITServer;

/// Signed code.
extern const CFStringRef kSecPolicyAppleCodeSigning;

/// Receipts of the Mac App Store.
extern const CFStringRef kSecPolicyMacAppStoreReceipt;

/// Certificates of Apple accounts.
extern const CFStringRef kSecPolicyAppleIDValidation;

/// Time stamping authorities.
extern const CFStringRef kSecPolicyAppleTimeStamping;

/// Revocation of certificates.
extern const CFStringRef kSecPolicyAppleRevocation;

/// Signed wallet passes.
extern const CFStringRef kSecPolicyApplePassbookSigning;

/// Encryption for the issuer of a payment card.
extern const CFStringRef kSecPolicyApplePayIssuerEncryption;

/// TLS, certificate of the server.
extern const CFStringRef kSecPolicyAppleSSLServer;

/// TLS, certificate of the client.
extern const CFStringRef kSecPolicyAppleSSLClient;

/// EAP, certificate of the server.
extern const CFStringRef kSecPolicyAppleEAPServer;

/// EAP, certificate of the client.
extern const CFStringRef kSecPolicyAppleEAPClient;

/// IPsec, certificate of the server.
extern const CFStringRef kSecPolicyAppleIPSecServer;

/// IPsec, certificate of the client.
extern const CFStringRef kSecPolicyAppleIPSecClient;

// Properties

/// Which policy it is, as one of the `kSecPolicyApple…` values. String.
extern const CFStringRef kSecPolicyOid;

/// The name to check the certificate against, such as a host name or mail address. String, or array of strings.
extern const CFStringRef kSecPolicyName;

/// Whether the certificate of the client is checked, not that of the server. Boolean.
extern const CFStringRef kSecPolicyClient;

/// How revocation is checked, as a union of the `kSecRevocation…` flags. Number.
extern const CFStringRef kSecPolicyRevocationFlags;

/// The team identifier the certificate must carry. String.
extern const CFStringRef kSecPolicyTeamIdentifier;

// Required key usage

/// The certificate must allow digital signatures. Boolean.
extern const CFStringRef kSecPolicyKU_DigitalSignature;

/// The certificate must allow signatures that cannot be disowned. Boolean.
extern const CFStringRef kSecPolicyKU_NonRepudiation;

/// The certificate must allow the encryption of keys. Boolean.
extern const CFStringRef kSecPolicyKU_KeyEncipherment;

/// The certificate must allow the encryption of data. Boolean.
extern const CFStringRef kSecPolicyKU_DataEncipherment;

/// The certificate must allow key agreement. Boolean.
extern const CFStringRef kSecPolicyKU_KeyAgreement;

/// The certificate must allow the signing of certificates. Boolean.
extern const CFStringRef kSecPolicyKU_KeyCertSign;

/// The certificate must allow the signing of revocation lists. Boolean.
extern const CFStringRef kSecPolicyKU_CRLSign;

/// The certificate must allow key agreement for encryption only. Boolean.
extern const CFStringRef kSecPolicyKU_EncipherOnly;

/// The certificate must allow key agreement for decryption only. Boolean.
extern const CFStringRef kSecPolicyKU_DecipherOnly;

// MARK: - How `SecPolicyCreateRevocation` checks revocation

CF_ENUM(CFOptionFlags) {
    /// Ask an OCSP responder.
    kSecRevocationOCSPMethod = 1,
    /// Consult a revocation list.
    kSecRevocationCRLMethod = 2,
    /// Prefer lists to responders.
    kSecRevocationPreferCRL = 4,
    /// Fail without a definite answer.
    kSecRevocationRequirePositiveResponse = 8,
    /// Use only answers already at hand.
    kSecRevocationNetworkAccessDisabled = 16,
    /// Use responders or lists, whichever there is.
    kSecRevocationUseAnyAvailableMethod = 3,
};

/// Gives the identifier of the type, to compare with the result of `CFGetTypeID`.
CFTypeID SecPolicyGetTypeID(void);

/// Describes a policy.
CFDictionaryRef _Nullable SecPolicyCopyProperties(SecPolicyRef policyRef);

/// Makes the policy of X.509 alone.
SecPolicyRef SecPolicyCreateBasicX509(void);

/// Makes the policy for TLS.
SecPolicyRef SecPolicyCreateSSL(Boolean server, CFStringRef _Nullable hostname);

/// Makes a policy about revocation.
SecPolicyRef _Nullable SecPolicyCreateRevocation(CFOptionFlags revocationFlags);

/// Makes a policy of its identifier and properties.
SecPolicyRef _Nullable SecPolicyCreateWithProperties(CFTypeRef policyIdentifier, CFDictionaryRef _Nullable properties);

/// An older form of `SecPolicyCreateWithProperties`.
SecPolicyRef _Nullable SecPolicyCreateWithOID(CFTypeRef policyOID);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
