#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Files with keys and certificates.

#pragma once

#include <Security/SecBase.h>
#include <Security/SecKey.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Formats of files that hold keys and certificates, and flags for their import and export

/// The format of a file.
typedef CF_ENUM(uint32_t, SecExternalFormat) {
    /// Not known; in an export, the default of the item.
    kSecFormatUnknown = 0,
    /// An OpenSSL key.
    kSecFormatOpenSSL = 1,
    /// A key of OpenSSH 1.
    kSecFormatSSH = 2,
    /// A BSAFE key.
    kSecFormatBSAFE = 3,
    /// The plain bytes of a symmetric key.
    kSecFormatRawKey = 4,
    /// An encrypted PKCS #8 key.
    kSecFormatWrappedPKCS8 = 5,
    /// An encrypted OpenSSL key.
    kSecFormatWrappedOpenSSL = 6,
    /// An encrypted key of OpenSSH 1.
    kSecFormatWrappedSSH = 7,
    /// Not in use.
    kSecFormatWrappedLSH = 8,
    /// A DER encoded certificate.
    kSecFormatX509Cert = 9,
    /// Certificates and keys in PEM.
    kSecFormatPEMSequence = 10,
    /// Certificates in PKCS #7.
    kSecFormatPKCS7 = 11,
    /// Certificates and private keys in PKCS #12.
    kSecFormatPKCS12 = 12,
    /// Certificates in a Netscape sequence.
    kSecFormatNetscapeCertSequence = 13,
    /// A public key of OpenSSH 2.
    kSecFormatSSHv2 = 14,
};

/// What a file holds.
typedef CF_ENUM(uint32_t, SecExternalItemType) {
    /// Not known.
    kSecItemTypeUnknown = 0,
    /// A private key.
    kSecItemTypePrivateKey = 1,
    /// A public key.
    kSecItemTypePublicKey = 2,
    /// A symmetric key.
    kSecItemTypeSessionKey = 3,
    /// A certificate.
    kSecItemTypeCertificate = 4,
    /// Several items.
    kSecItemTypeAggregate = 5,
};

/// How an item is exported.
typedef CF_OPTIONS(uint32_t, SecItemImportExportFlags) {
    /// In PEM.
    kSecItemPemArmour = 1u << 0,
};

/// How keys are imported and exported.
typedef CF_OPTIONS(uint32_t, SecKeyImportExportFlags) {
    /// Fail if the file holds more than one private key.
    kSecKeyImportOnlyOne = 1u << 0,
    /// Ask the user for the passphrase.
    kSecKeySecurePassphrase = 1u << 1,
    /// Import private keys without an access object.
    kSecKeyNoAccessControl = 1u << 2,
};

// MARK: - Keys for the import of PKCS #12 and other files

// Options

/// The passphrase of the file. String, or data in UTF-8.
extern const CFStringRef kSecImportExportPassphrase;

/// The macOS file keychain to import into. Accepted for source compatibility.
extern const CFStringRef kSecImportExportKeychain;

/// The access object for imported items. Accepted for source compatibility.
extern const CFStringRef kSecImportExportAccess;

/// Whether the imported items stay out of the keychain. Boolean.
extern const CFStringRef kSecImportToMemoryOnly;

// Entries of a result

/// The name of the item. String.
extern const CFStringRef kSecImportItemLabel;

/// The identifier of the item's key. Data.
extern const CFStringRef kSecImportItemKeyID;

/// A trust object for the item's chain. `SecTrust`.
extern const CFStringRef kSecImportItemTrust;

/// The certificates of the item's chain. Array of `SecCertificate`.
extern const CFStringRef kSecImportItemCertChain;

/// The certificate and private key of the item. `SecIdentity`.
extern const CFStringRef kSecImportItemIdentity;

/// The only version of `SecItemImportExportKeyParameters`.
#define SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION 0

/// How the keys of a file are read or written. Each field may be zero.
typedef struct {
    /// `SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION`.
    uint32_t version;
    SecKeyImportExportFlags flags;
    /// The passphrase, a string, or data in UTF-8.
    CFTypeRef _Nullable passphrase;
    /// Ignored: there is no window that asks for the passphrase.
    CFStringRef _Nullable alertTitle;
    /// Ignored: there is no window that asks for the passphrase.
    CFStringRef _Nullable alertPrompt;
    /// Ignored.
    SecAccessRef _Nullable accessRef;
    /// Has to be NULL, which permits all uses.
    CFArrayRef _Nullable keyUsage;
    /// NULL, or an array with `kSecAttrIsExtractable` alone.
    CFArrayRef _Nullable keyAttributes;
} SecItemImportExportKeyParameters;

/// Reads the identities in a PKCS #12 file.
OSStatus SecPKCS12Import(CFDataRef pkcs12_data, CFDictionaryRef _Nullable options, CFArrayRef _Nullable *_Nonnull items);

/// Reads the keys and certificates in a file.
OSStatus SecItemImport(CFDataRef importedData, CFStringRef _Nullable fileNameOrExtension, SecExternalFormat *_Nullable inputFormat, SecExternalItemType *_Nullable itemType, SecItemImportExportFlags flags, const SecItemImportExportKeyParameters *_Nullable keyParams, SecKeychainRef _Nullable importKeychain, CFArrayRef _Nullable *_Nullable outItems);

/// Writes keys and certificates as a file.
OSStatus SecItemExport(CFTypeRef secItemOrArray, SecExternalFormat outputFormat, SecItemImportExportFlags flags, const SecItemImportExportKeyParameters *_Nullable keyParams, CFDataRef _Nullable *_Nonnull exportedData);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
