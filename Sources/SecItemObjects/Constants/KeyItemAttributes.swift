// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Numbers of the attributes of a key in a macOS file keychain.

/// Public, private or session key.
public let kSecKeyKeyClass: Int32 = 0

/// The name people see.
public let kSecKeyPrintName: Int32 = 1

/// Unused.
public let kSecKeyAlias: Int32 = 2

/// Whether the key is kept.
public let kSecKeyPermanent: Int32 = 3

/// Whether the key is private to its module.
public let kSecKeyPrivate: Int32 = 4

/// Whether the attributes can be changed.
public let kSecKeyModifiable: Int32 = 5

/// The label programs search for; the hash of the public key.
public let kSecKeyLabel: Int32 = 6

/// A tag of the application's.
public let kSecKeyApplicationTag: Int32 = 7

/// Which module made the key.
public let kSecKeyKeyCreator: Int32 = 8

/// The algorithm family.
public let kSecKeyKeyType: Int32 = 9

/// The size in bits.
public let kSecKeyKeySizeInBits: Int32 = 10

/// The number of bits that add strength.
public let kSecKeyEffectiveKeySize: Int32 = 11

/// When the key becomes valid.
public let kSecKeyStartDate: Int32 = 12

/// When the key expires.
public let kSecKeyEndDate: Int32 = 13

/// Whether the key leaves in encrypted form only.
public let kSecKeySensitive: Int32 = 14

/// Whether the key was sensitive from the start.
public let kSecKeyAlwaysSensitive: Int32 = 15

/// Whether the key may leave.
public let kSecKeyExtractable: Int32 = 16

/// Whether the key could never leave.
public let kSecKeyNeverExtractable: Int32 = 17

/// Whether the key may encrypt.
public let kSecKeyEncrypt: Int32 = 18

/// Whether the key may decrypt.
public let kSecKeyDecrypt: Int32 = 19

/// Whether other keys may be derived.
public let kSecKeyDerive: Int32 = 20

/// Whether the key may sign.
public let kSecKeySign: Int32 = 21

/// Whether the key may verify.
public let kSecKeyVerify: Int32 = 22

/// Whether the key may sign so that the message can be recovered.
public let kSecKeySignRecover: Int32 = 23

/// Whether the key may verify such a signature.
public let kSecKeyVerifyRecover: Int32 = 24

/// Whether the key may wrap another.
public let kSecKeyWrap: Int32 = 25

/// Whether the key may unwrap another.
public let kSecKeyUnwrap: Int32 = 26
