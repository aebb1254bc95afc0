#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// Items of the keychain: adding, finding, changing and deleting.

#pragma once

#include <Security/SecBase.h>
#include <Security/SecAccessControl.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Keys that name the attributes of an item

// Protection and sharing

/// When the item can be read, as one of the `kSecAttrAccessible…` values. String. Every class.
extern const CFStringRef kSecAttrAccessible;

/// The access object of a macOS file keychain. `SecAccess`. Accepted for source compatibility; it has no effect on
/// Linux.
extern const CFStringRef kSecAttrAccess;

/// The conditions under which the item can be read. `SecAccessControl`. Every class.
extern const CFStringRef kSecAttrAccessControl;

/// The access group that owns the item; apps of one group share it. String, part of the primary key. Every class.
extern const CFStringRef kSecAttrAccessGroup;

/// Whether the item may follow its user to other devices. Number or boolean, or `kSecAttrSynchronizableAny` in a query;
/// part of the primary key. Every class.
extern const CFStringRef kSecAttrSynchronizable;

/// A hint which group of synchronised items this one belongs to. String, part of the primary key. Every class.
extern const CFStringRef kSecAttrSyncViewHint;

/// The token that holds the item, such as a smart card. String, part of the primary key. Every class.
extern const CFStringRef kSecAttrTokenID;

/// The persistent reference as an attribute, in the spelling of the first release. Data. Kept beside
/// `kSecAttrPersistentReference`.
extern const CFStringRef kSecAttrPersistantReference;

/// The persistent reference as an attribute. Data. Results carry it under `kSecValuePersistentRef` instead.
extern const CFStringRef kSecAttrPersistentReference;

// Times

/// When the item was added. Date, set by the keychain. Every class.
extern const CFStringRef kSecAttrCreationDate;

/// When the item was last changed. Date, set by the keychain. Every class.
extern const CFStringRef kSecAttrModificationDate;

// Words for people

/// The name of the item for people. String. Every class.
extern const CFStringRef kSecAttrLabel;

/// The kind of item, in words for people. String. Generic and internet passwords.
extern const CFStringRef kSecAttrDescription;

/// A note that people can edit. String. Generic and internet passwords.
extern const CFStringRef kSecAttrComment;

// Passwords

/// The four-character code of the creator, as a number. Generic and internet passwords.
extern const CFStringRef kSecAttrCreator;

/// A four-character code of the caller's choice, as a number. Generic and internet passwords.
extern const CFStringRef kSecAttrType;

/// Whether tools should keep the item out of their lists. Boolean. Generic and internet passwords.
extern const CFStringRef kSecAttrIsInvisible;

/// Whether the item only records that there is no valid password. Boolean. Generic and internet passwords.
extern const CFStringRef kSecAttrIsNegative;

/// The account the password is for. String, part of the primary key. Generic and internet passwords.
extern const CFStringRef kSecAttrAccount;

// Generic passwords

/// The service the password is for. String, part of the primary key. Generic passwords.
extern const CFStringRef kSecAttrService;

/// Bytes that the caller chooses. They are an attribute, not a secret. Data. Generic passwords.
extern const CFStringRef kSecAttrGeneric;

// Internet passwords

/// The realm the server asks a password for. String, part of the primary key. Internet passwords.
extern const CFStringRef kSecAttrSecurityDomain;

/// The host name or address of the server. String, part of the primary key. Internet passwords.
extern const CFStringRef kSecAttrServer;

/// The protocol spoken, as one of the `kSecAttrProtocol…` values; part of the primary key. Internet passwords.
extern const CFStringRef kSecAttrProtocol;

/// The scheme used to log in, as one of the `kSecAttrAuthenticationType…` values; part of the primary key. Internet
/// passwords.
extern const CFStringRef kSecAttrAuthenticationType;

/// The port of the server. Number, part of the primary key. Internet passwords.
extern const CFStringRef kSecAttrPort;

/// The path the password is valid for, as in a URL. String, part of the primary key. Internet passwords.
extern const CFStringRef kSecAttrPath;

// Certificates

/// The subject's distinguished name, DER encoded and normalised. Data. Certificates.
extern const CFStringRef kSecAttrSubject;

/// The issuer's distinguished name, DER encoded and normalised. Data, part of the primary key. Certificates.
extern const CFStringRef kSecAttrIssuer;

/// The serial number, as the content bytes of its DER integer. Data, part of the primary key. Certificates.
extern const CFStringRef kSecAttrSerialNumber;

/// The subject key identifier from the extension of that name. Data. Certificates.
extern const CFStringRef kSecAttrSubjectKeyID;

/// The hash of the public key; it joins a certificate to its private key. Data. Certificates.
extern const CFStringRef kSecAttrPublicKeyHash;

/// The kind of certificate. Number, part of the primary key. Certificates.
extern const CFStringRef kSecAttrCertificateType;

/// The encoding of the certificate. Number. Certificates.
extern const CFStringRef kSecAttrCertificateEncoding;

// Keys

/// Public, private or symmetric, as one of the `kSecAttrKeyClass…` values; part of the primary key. Keys.
extern const CFStringRef kSecAttrKeyClass;

/// The label by which programs find the key, by default the hash of the public key. Data, part of the primary key.
/// Keys.
extern const CFStringRef kSecAttrApplicationLabel;

/// Whether the key is kept in the keychain when it is made. Boolean. Keys.
extern const CFStringRef kSecAttrIsPermanent;

/// Whether the key may leave the keychain in encrypted form only. On Linux such a key does not leave at all. Boolean.
/// Keys.
extern const CFStringRef kSecAttrIsSensitive;

/// Whether the key may leave the keychain at all. Boolean. Keys.
extern const CFStringRef kSecAttrIsExtractable;

/// A tag that the caller chooses, to find the key again. Data, part of the primary key. Keys.
extern const CFStringRef kSecAttrApplicationTag;

/// The algorithm family, as one of the `kSecAttrKeyType…` values; part of the primary key. Keys.
extern const CFStringRef kSecAttrKeyType;

/// The size of the key in bits. Number, part of the primary key. Keys.
extern const CFStringRef kSecAttrKeySizeInBits;

/// The number of bits that add strength. Number, part of the primary key. Keys.
extern const CFStringRef kSecAttrEffectiveKeySize;

/// Whether the key may encrypt. Boolean. Keys.
extern const CFStringRef kSecAttrCanEncrypt;

/// Whether the key may decrypt. Boolean. Keys.
extern const CFStringRef kSecAttrCanDecrypt;

/// Whether other keys may be derived from the key. Boolean. Keys.
extern const CFStringRef kSecAttrCanDerive;

/// Whether the key may sign. Boolean. Keys.
extern const CFStringRef kSecAttrCanSign;

/// Whether the key may verify signatures. Boolean. Keys.
extern const CFStringRef kSecAttrCanVerify;

/// Whether the key may wrap another key. Boolean. Keys.
extern const CFStringRef kSecAttrCanWrap;

/// Whether the key may unwrap another key. Boolean. Keys.
extern const CFStringRef kSecAttrCanUnwrap;

// Derivation of a key from a password

/// The pseudorandom function to derive with, as one of the `kSecAttrPRFHmacAlg…` values. A parameter, not stored.
extern const CFStringRef kSecAttrPRF;

/// The salt to derive with. Data. A parameter, not stored.
extern const CFStringRef kSecAttrSalt;

/// The number of rounds to derive with. Number. A parameter, not stored.
extern const CFStringRef kSecAttrRounds;

// MARK: - Values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`

// Protocols

/// The protocol is FTP.
extern const CFStringRef kSecAttrProtocolFTP;

/// The protocol is an FTP account at a client.
extern const CFStringRef kSecAttrProtocolFTPAccount;

/// The protocol is HTTP.
extern const CFStringRef kSecAttrProtocolHTTP;

/// The protocol is IRC.
extern const CFStringRef kSecAttrProtocolIRC;

/// The protocol is NNTP.
extern const CFStringRef kSecAttrProtocolNNTP;

/// The protocol is POP3.
extern const CFStringRef kSecAttrProtocolPOP3;

/// The protocol is SMTP.
extern const CFStringRef kSecAttrProtocolSMTP;

/// The protocol is SOCKS.
extern const CFStringRef kSecAttrProtocolSOCKS;

/// The protocol is IMAP.
extern const CFStringRef kSecAttrProtocolIMAP;

/// The protocol is LDAP.
extern const CFStringRef kSecAttrProtocolLDAP;

/// The protocol is AFP over AppleTalk.
extern const CFStringRef kSecAttrProtocolAppleTalk;

/// The protocol is AFP over TCP.
extern const CFStringRef kSecAttrProtocolAFP;

/// The protocol is Telnet.
extern const CFStringRef kSecAttrProtocolTelnet;

/// The protocol is SSH.
extern const CFStringRef kSecAttrProtocolSSH;

/// The protocol is FTP over TLS.
extern const CFStringRef kSecAttrProtocolFTPS;

/// The protocol is HTTP over TLS.
extern const CFStringRef kSecAttrProtocolHTTPS;

/// The protocol is a proxy for HTTP.
extern const CFStringRef kSecAttrProtocolHTTPProxy;

/// The protocol is a proxy for HTTPS.
extern const CFStringRef kSecAttrProtocolHTTPSProxy;

/// The protocol is a proxy for FTP.
extern const CFStringRef kSecAttrProtocolFTPProxy;

/// The protocol is SMB.
extern const CFStringRef kSecAttrProtocolSMB;

/// The protocol is RTSP.
extern const CFStringRef kSecAttrProtocolRTSP;

/// The protocol is a proxy for RTSP.
extern const CFStringRef kSecAttrProtocolRTSPProxy;

/// The protocol is DAAP.
extern const CFStringRef kSecAttrProtocolDAAP;

/// The protocol is remote Apple events.
extern const CFStringRef kSecAttrProtocolEPPC;

/// The protocol is IPP.
extern const CFStringRef kSecAttrProtocolIPP;

/// The protocol is NNTP over TLS.
extern const CFStringRef kSecAttrProtocolNNTPS;

/// The protocol is LDAP over TLS.
extern const CFStringRef kSecAttrProtocolLDAPS;

/// The protocol is Telnet over TLS.
extern const CFStringRef kSecAttrProtocolTelnetS;

/// The protocol is IMAP over TLS.
extern const CFStringRef kSecAttrProtocolIMAPS;

/// The protocol is IRC over TLS.
extern const CFStringRef kSecAttrProtocolIRCS;

/// The protocol is POP3 over TLS.
extern const CFStringRef kSecAttrProtocolPOP3S;

// Authentication types

/// Logs in with NTLM.
extern const CFStringRef kSecAttrAuthenticationTypeNTLM;

/// Logs in with the scheme of the Microsoft Network.
extern const CFStringRef kSecAttrAuthenticationTypeMSN;

/// Logs in with Distributed Password Authentication.
extern const CFStringRef kSecAttrAuthenticationTypeDPA;

/// Logs in with Remote Password Authentication.
extern const CFStringRef kSecAttrAuthenticationTypeRPA;

/// Logs in with HTTP basic authentication.
extern const CFStringRef kSecAttrAuthenticationTypeHTTPBasic;

/// Logs in with HTTP digest authentication.
extern const CFStringRef kSecAttrAuthenticationTypeHTTPDigest;

/// Logs in through a form on a web page.
extern const CFStringRef kSecAttrAuthenticationTypeHTMLForm;

/// Logs in with whatever the protocol does by default.
extern const CFStringRef kSecAttrAuthenticationTypeDefault;

// MARK: - Values of the attributes of keys

// Key classes

/// The key is the public half of a pair.
extern const CFStringRef kSecAttrKeyClassPublic;

/// The key is the private half of a pair.
extern const CFStringRef kSecAttrKeyClassPrivate;

/// The key is symmetric.
extern const CFStringRef kSecAttrKeyClassSymmetric;

// Key types

/// An RSA key.
extern const CFStringRef kSecAttrKeyTypeRSA;

/// A DSA key.
extern const CFStringRef kSecAttrKeyTypeDSA;

/// An AES key.
extern const CFStringRef kSecAttrKeyTypeAES;

/// A DES key.
extern const CFStringRef kSecAttrKeyTypeDES;

/// A triple DES key.
extern const CFStringRef kSecAttrKeyType3DES;

/// An RC4 key.
extern const CFStringRef kSecAttrKeyTypeRC4;

/// An RC2 key.
extern const CFStringRef kSecAttrKeyTypeRC2;

/// A CAST key.
extern const CFStringRef kSecAttrKeyTypeCAST;

/// An elliptic curve key, by its older name for signatures. Same value as `kSecAttrKeyTypeECSECPrimeRandom`.
extern const CFStringRef kSecAttrKeyTypeECDSA;

/// An elliptic curve key, by its older short name. Same value as `kSecAttrKeyTypeECSECPrimeRandom`.
extern const CFStringRef kSecAttrKeyTypeEC;

/// An elliptic curve key over one of the NIST prime curves.
extern const CFStringRef kSecAttrKeyTypeECSECPrimeRandom;

// Pseudorandom functions

/// HMAC with SHA-1.
extern const CFStringRef kSecAttrPRFHmacAlgSHA1;

/// HMAC with SHA-224.
extern const CFStringRef kSecAttrPRFHmacAlgSHA224;

/// HMAC with SHA-256.
extern const CFStringRef kSecAttrPRFHmacAlgSHA256;

/// HMAC with SHA-384.
extern const CFStringRef kSecAttrPRFHmacAlgSHA384;

/// HMAC with SHA-512.
extern const CFStringRef kSecAttrPRFHmacAlgSHA512;

// MARK: - Values of `kSecAttrAccessible`, `kSecAttrSynchronizable`, `kSecAttrTokenID` and `kSecAttrAccessGroup`

// Accessible

/// Readable while the device is unlocked. The default of passwords and keys.
extern const CFStringRef kSecAttrAccessibleWhenUnlocked;

/// Readable from the first unlock after start-up until the device shuts down.
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlock;

/// Readable at any time, locked or not. Deprecated by Apple, which advises `kSecAttrAccessibleAfterFirstUnlock`.
extern const CFStringRef kSecAttrAccessibleAlways;

/// Readable while the device is unlocked, and only as long as it has a passcode. Never leaves the device.
extern const CFStringRef kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly;

/// Readable while the device is unlocked. Never leaves the device.
extern const CFStringRef kSecAttrAccessibleWhenUnlockedThisDeviceOnly;

/// Readable from the first unlock after start-up. Never leaves the device.
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;

/// Readable at any time. Never leaves the device. Deprecated by Apple, which advises
/// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
extern const CFStringRef kSecAttrAccessibleAlwaysThisDeviceOnly;

// Synchronizable

/// In a query: items that synchronise and items that do not. Never stored.
extern const CFStringRef kSecAttrSynchronizableAny;

// Tokens

/// Keeps a new key in Apple's Secure Enclave. On Linux a TPM 2.0 takes its place, in programs that build the package
/// with its trait `TPM`.
extern const CFStringRef kSecAttrTokenIDSecureEnclave;

/// The access group of items on tokens. Read only.
extern const CFStringRef kSecAttrAccessGroupToken;

// MARK: - The class of an item, which a query names

// The key

/// The class of the items that a query selects, or of a new item. Its value is one of the `kSecClass…` values.
extern const CFStringRef kSecClass;

// Its values

/// Passwords and other secrets, identified by account and service.
extern const CFStringRef kSecClassGenericPassword;

/// Passwords of network accounts, identified by account, server, protocol, port, path and other attributes.
extern const CFStringRef kSecClassInternetPassword;

/// X.509 certificates, identified by type, issuer and serial number.
extern const CFStringRef kSecClassCertificate;

/// Cryptographic keys, identified by label, tag, type, size and other attributes.
extern const CFStringRef kSecClassKey;

/// Certificates together with their private keys. The keychain joins the items of these two classes; it stores no
/// identities.
extern const CFStringRef kSecClassIdentity;

// MARK: - Keys of the dictionary that describes a pair of keys to make

// Halves of a pair

/// Attributes of the private key alone. Dictionary.
extern const CFStringRef kSecPrivateKeyAttrs;

/// Attributes of the public key alone. Dictionary.
extern const CFStringRef kSecPublicKeyAttrs;

// MARK: - Keys that narrow a search beyond attributes, and say how many results to return

// Rules

/// Only certificates and identities that satisfy this policy. `SecPolicy`.
extern const CFStringRef kSecMatchPolicy;

/// Only these items. Array.
extern const CFStringRef kSecMatchItemList;

/// Only items of these file keychains. Array.
extern const CFStringRef kSecMatchSearchList;

/// Only certificates and identities whose chain holds one of these issuers. Array of DER encoded names.
extern const CFStringRef kSecMatchIssuers;

/// Only certificates and identities that have this e-mail address. String.
extern const CFStringRef kSecMatchEmailAddressIfPresent;

/// Only certificates and identities whose subject holds these words. String.
extern const CFStringRef kSecMatchSubjectContains;

/// Only internet passwords whose server is this host or one of its subdomains. String.
extern const CFStringRef kSecMatchHostOrSubdomainOfHost;

/// Only certificates and identities whose subject begins with these words. String.
extern const CFStringRef kSecMatchSubjectStartsWith;

/// Only certificates and identities whose subject ends with these words. String.
extern const CFStringRef kSecMatchSubjectEndsWith;

/// Only certificates and identities whose subject is exactly this. String.
extern const CFStringRef kSecMatchSubjectWholeString;

/// Whether text is compared without regard to case. Boolean.
extern const CFStringRef kSecMatchCaseInsensitive;

/// Whether text is compared without regard to diacritics. Boolean.
extern const CFStringRef kSecMatchDiacriticInsensitive;

/// Whether text is compared without regard to the width of characters. Boolean.
extern const CFStringRef kSecMatchWidthInsensitive;

/// Whether only certificates with a chain to a trusted root match. Boolean.
extern const CFStringRef kSecMatchTrustedOnly;

/// Only certificates and identities valid at this time, or now for the null object. Date.
extern const CFStringRef kSecMatchValidOnDate;

// Limit

/// The greatest number of results to return: `kSecMatchLimitOne`, `kSecMatchLimitAll` or a number. The default is one.
extern const CFStringRef kSecMatchLimit;

/// Return the first match, without an array.
extern const CFStringRef kSecMatchLimitOne;

/// Return all matches, in an array.
extern const CFStringRef kSecMatchLimitAll;

// MARK: - Keys that say what a call gives back

// Kinds of result

/// Return the secret of the item, or the bytes of a key or certificate, as data.
extern const CFStringRef kSecReturnData;

/// Return the attributes of the item, as a dictionary.
extern const CFStringRef kSecReturnAttributes;

/// Return an object: `SecKey`, `SecCertificate` or `SecIdentity`.
extern const CFStringRef kSecReturnRef;

/// Return a reference that can be stored and stays valid in later runs, as data.
extern const CFStringRef kSecReturnPersistentRef;

// MARK: - Keys that say how a call is carried out

// Which items, which keychain

/// Work on these items instead of the stored ones. Array. Deprecated by Apple on iOS, where it never worked.
extern const CFStringRef kSecUseItemList;

/// The macOS file keychain to add to. Accepted for source compatibility.
extern const CFStringRef kSecUseKeychain;

/// Whether to use the data protection keychain on macOS. Boolean. The keychain here always behaves as that one.
extern const CFStringRef kSecUseDataProtectionKeychain;

/// Whether to use the keychain that all users of a tvOS device share. Boolean.
extern const CFStringRef kSecUseUserIndependentKeychain;

// Authentication

/// The reason shown when the user is asked. String. Deprecated by Apple in favour of `kSecUseAuthenticationContext`.
extern const CFStringRef kSecUseOperationPrompt;

/// Whether to fail instead of asking the user. Boolean. Deprecated by Apple in favour of `kSecUseAuthenticationUI`.
extern const CFStringRef kSecUseNoAuthenticationUI;

/// Whether the user may be asked, as one of the `kSecUseAuthenticationUI…` values.
extern const CFStringRef kSecUseAuthenticationUI;

/// The `LAContext` to authenticate with.
extern const CFStringRef kSecUseAuthenticationContext;

// Values of `kSecUseAuthenticationUI`

/// The user may be asked. The default. Deprecated by Apple in favour of `kSecUseAuthenticationContext`.
extern const CFStringRef kSecUseAuthenticationUIAllow;

/// Fail with `errSecInteractionNotAllowed` instead of asking. Deprecated by Apple in favour of
/// `kSecUseAuthenticationContext`.
extern const CFStringRef kSecUseAuthenticationUIFail;

/// Leave out the items that need the user. For `SecItemCopyMatching` only.
extern const CFStringRef kSecUseAuthenticationUISkip;

// MARK: - Keys for the value of an item, in a query as in a result

// Kinds of value

/// The secret of the item. Data.
extern const CFStringRef kSecValueData;

/// The item as an object: `SecKey`, `SecCertificate` or `SecIdentity`.
extern const CFStringRef kSecValueRef;

/// The persistent reference of the item. Data.
extern const CFStringRef kSecValuePersistentRef;

/// Adds an item. `result` receives what the keys `kSecReturn…` ask for.
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable *_Nullable result);

/// Finds items. `result` receives what the keys `kSecReturn…` ask for: one value, or an array of them with
/// `kSecMatchLimitAll`.
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable *_Nullable result);

/// Changes each item that the query matches.
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);

/// Deletes each item that the query matches.
OSStatus SecItemDelete(CFDictionaryRef query);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
