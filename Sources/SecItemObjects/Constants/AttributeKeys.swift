// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys that name the attributes of an item. Each comment ends with the type of the value and the classes that have the
// attribute.

import Foundation

// MARK: - Protection and sharing

/// When the item can be read, as one of the `kSecAttrAccessible…` values. String. Every class.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"

/// The access object of a macOS file keychain. `SecAccess`. Accepted for source compatibility; it has no effect on
/// Linux.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"

/// The conditions under which the item can be read. `SecAccessControl`. Every class.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"

/// The access group that owns the item; apps of one group share it. String, part of the primary key. Every class.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"

/// Whether the item may follow its user to other devices. Number or boolean, or `kSecAttrSynchronizableAny` in a query;
/// part of the primary key. Every class.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"

/// A hint which group of synchronised items this one belongs to. String, part of the primary key. Every class.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"

/// The token that holds the item, such as a smart card. String, part of the primary key. Every class.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"

/// The persistent reference as an attribute, in the spelling of the first release. Data. Kept beside
/// `kSecAttrPersistentReference`.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"

/// The persistent reference as an attribute. Data. Results carry it under `kSecValuePersistentRef` instead.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"

// MARK: - Times

/// When the item was added. Date, set by the keychain. Every class.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"

/// When the item was last changed. Date, set by the keychain. Every class.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"

// MARK: - Words for people

/// The name of the item for people. String. Every class.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"

/// The kind of item, in words for people. String. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"

/// A note that people can edit. String. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"

// MARK: - Passwords

/// The four-character code of the creator, as a number. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"

/// A four-character code of the caller's choice, as a number. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrType: CFString = "type"

/// Whether tools should keep the item out of their lists. Boolean. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"

/// Whether the item only records that there is no valid password. Boolean. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"

/// The account the password is for. String, part of the primary key. Generic and internet passwords.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"

// MARK: - Generic passwords

/// The service the password is for. String, part of the primary key. Generic passwords.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"

/// Bytes that the caller chooses. They are an attribute, not a secret. Data. Generic passwords.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"

// MARK: - Internet passwords

/// The realm the server asks a password for. String, part of the primary key. Internet passwords.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"

/// The host name or address of the server. String, part of the primary key. Internet passwords.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"

/// The protocol spoken, as one of the `kSecAttrProtocol…` values; part of the primary key. Internet passwords.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"

/// The scheme used to log in, as one of the `kSecAttrAuthenticationType…` values; part of the primary key. Internet
/// passwords.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"

/// The port of the server. Number, part of the primary key. Internet passwords.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"

/// The path the password is valid for, as in a URL. String, part of the primary key. Internet passwords.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"

// MARK: - Certificates

/// The subject's distinguished name, DER encoded and normalised. Data. Certificates.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"

/// The issuer's distinguished name, DER encoded and normalised. Data, part of the primary key. Certificates.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"

/// The serial number, as the content bytes of its DER integer. Data, part of the primary key. Certificates.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"

/// The subject key identifier from the extension of that name. Data. Certificates.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"

/// The hash of the public key; it joins a certificate to its private key. Data. Certificates.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"

/// The kind of certificate. Number, part of the primary key. Certificates.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"

/// The encoding of the certificate. Number. Certificates.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"

// MARK: - Keys

/// Public, private or symmetric, as one of the `kSecAttrKeyClass…` values; part of the primary key. Keys.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"

/// The label by which programs find the key, by default the hash of the public key. Data, part of the primary key.
/// Keys.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"

/// Whether the key is kept in the keychain when it is made. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"

/// Whether the key may leave the keychain in encrypted form only. On Linux such a key does not leave at all. Boolean.
/// Keys.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"

/// Whether the key may leave the keychain at all. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"

/// A tag that the caller chooses, to find the key again. Data, part of the primary key. Keys.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"

/// The algorithm family, as one of the `kSecAttrKeyType…` values; part of the primary key. Keys.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"

/// The size of the key in bits. Number, part of the primary key. Keys.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"

/// The number of bits that add strength. Number, part of the primary key. Keys.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"

/// Whether the key may encrypt. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"

/// Whether the key may decrypt. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"

/// Whether other keys may be derived from the key. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"

/// Whether the key may sign. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"

/// Whether the key may verify signatures. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"

/// Whether the key may wrap another key. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"

/// Whether the key may unwrap another key. Boolean. Keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"

// MARK: - Derivation of a key from a password

/// The pseudorandom function to derive with, as one of the `kSecAttrPRFHmacAlg…` values. A parameter, not stored.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"

/// The salt to derive with. Data. A parameter, not stored.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"

/// The number of rounds to derive with. Number. A parameter, not stored.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
