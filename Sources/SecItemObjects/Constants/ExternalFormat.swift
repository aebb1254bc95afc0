// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Formats of files that hold keys and certificates, and flags for their import and export.

/// The format of a file.
public enum SecExternalFormat: UInt32, Sendable {
    /// Not known; in an export, the default of the item.
    case formatUnknown = 0

    /// An OpenSSL key.
    case formatOpenSSL = 1

    /// A key of OpenSSH 1.
    case formatSSH = 2

    /// A BSAFE key.
    case formatBSAFE = 3

    /// The plain bytes of a symmetric key.
    case formatRawKey = 4

    /// An encrypted PKCS #8 key.
    case formatWrappedPKCS8 = 5

    /// An encrypted OpenSSL key.
    case formatWrappedOpenSSL = 6

    /// An encrypted key of OpenSSH 1.
    case formatWrappedSSH = 7

    /// Not in use.
    case formatWrappedLSH = 8

    /// A DER encoded certificate.
    case formatX509Cert = 9

    /// Certificates and keys in PEM.
    case formatPEMSequence = 10

    /// Certificates in PKCS #7.
    case formatPKCS7 = 11

    /// Certificates and private keys in PKCS #12.
    case formatPKCS12 = 12

    /// Certificates in a Netscape sequence.
    case formatNetscapeCertSequence = 13

    /// A public key of OpenSSH 2.
    case formatSSHv2 = 14
}

/// What a file holds.
public enum SecExternalItemType: UInt32, Sendable {
    /// Not known.
    case itemTypeUnknown = 0

    /// A private key.
    case itemTypePrivateKey = 1

    /// A public key.
    case itemTypePublicKey = 2

    /// A symmetric key.
    case itemTypeSessionKey = 3

    /// A certificate.
    case itemTypeCertificate = 4

    /// Several items.
    case itemTypeAggregate = 5
}

/// How an item is exported.
public struct SecItemImportExportFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// In PEM.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1 << 0)
}

/// How keys are imported and exported.
public struct SecKeyImportExportFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Fail if the file holds more than one private key.
    public static let importOnlyOne = SecKeyImportExportFlags(rawValue: 1 << 0)

    /// Ask the user for the passphrase.
    public static let securePassphrase = SecKeyImportExportFlags(rawValue: 1 << 1)

    /// Import private keys without an access object.
    public static let noAccessControl = SecKeyImportExportFlags(rawValue: 1 << 2)
}
