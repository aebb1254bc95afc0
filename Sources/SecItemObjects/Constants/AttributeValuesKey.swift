// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Values of the attributes of keys. They are numbers spelt as decimal strings, and come back as numbers.

import Foundation

// MARK: - Key classes

/// The key is the public half of a pair.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"

/// The key is the private half of a pair.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"

/// The key is symmetric.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"

// MARK: - Key types

/// An RSA key.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"

/// A DSA key.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"

/// An AES key.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"

/// A DES key.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"

/// A triple DES key.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"

/// An RC4 key.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"

/// An RC2 key.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"

/// A CAST key.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"

/// An elliptic curve key, by its older name for signatures. Same value as `kSecAttrKeyTypeECSECPrimeRandom`.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"

/// An elliptic curve key, by its older short name. Same value as `kSecAttrKeyTypeECSECPrimeRandom`.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"

/// An elliptic curve key over one of the NIST prime curves.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

// MARK: - Pseudorandom functions

/// HMAC with SHA-1.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"

/// HMAC with SHA-224.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"

/// HMAC with SHA-256.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"

/// HMAC with SHA-384.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"

/// HMAC with SHA-512.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
