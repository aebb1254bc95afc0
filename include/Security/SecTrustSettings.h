#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// The trust that users and administrators give to certificates.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - The trust that users and administrators give to certificates

/// Uses of a key that a trust setting is about.
typedef CF_OPTIONS(uint32_t, SecTrustSettingsKeyUsage) {
    /// Signatures.
    kSecTrustSettingsKeyUseSignature = 1u << 0,
    /// Encryption of data.
    kSecTrustSettingsKeyUseEnDecryptData = 1u << 1,
    /// Encryption of keys.
    kSecTrustSettingsKeyUseEnDecryptKey = 1u << 2,
    /// Signing of certificates.
    kSecTrustSettingsKeyUseSignCert = 1u << 3,
    /// Signing of revocation lists and answers.
    kSecTrustSettingsKeyUseSignRevocation = 1u << 4,
    /// Key exchange.
    kSecTrustSettingsKeyUseKeyExchange = 1u << 5,
    /// Every use.
    kSecTrustSettingsKeyUseAny = 0xFFFFFFFF,
};

/// What a trust setting says.
typedef CF_ENUM(uint32_t, SecTrustSettingsResult) {
    /// Not a valid setting.
    kSecTrustSettingsResultInvalid = 0,
    /// This root is trusted.
    kSecTrustSettingsResultTrustRoot = 1,
    /// This certificate is trusted as if it were a root.
    kSecTrustSettingsResultTrustAsRoot = 2,
    /// This certificate is distrusted.
    kSecTrustSettingsResultDeny = 3,
    /// No decision; the chain of the certificate decides.
    kSecTrustSettingsResultUnspecified = 4,
};

/// Whose trust settings they are.
typedef CF_ENUM(uint32_t, SecTrustSettingsDomain) {
    /// The user's.
    kSecTrustSettingsDomainUser = 0,
    /// The administrator's, for all users.
    kSecTrustSettingsDomainAdmin = 1,
    /// The system's, built in.
    kSecTrustSettingsDomainSystem = 2,
};

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
