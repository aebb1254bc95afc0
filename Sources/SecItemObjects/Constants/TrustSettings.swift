// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The trust that users and administrators give to certificates.

/// Uses of a key that a trust setting is about.
public struct SecTrustSettingsKeyUsage: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Signatures.
    public static let useSignature = SecTrustSettingsKeyUsage(rawValue: 1 << 0)

    /// Encryption of data.
    public static let useEnDecryptData = SecTrustSettingsKeyUsage(rawValue: 1 << 1)

    /// Encryption of keys.
    public static let useEnDecryptKey = SecTrustSettingsKeyUsage(rawValue: 1 << 2)

    /// Signing of certificates.
    public static let useSignCert = SecTrustSettingsKeyUsage(rawValue: 1 << 3)

    /// Signing of revocation lists and answers.
    public static let useSignRevocation = SecTrustSettingsKeyUsage(rawValue: 1 << 4)

    /// Key exchange.
    public static let useKeyExchange = SecTrustSettingsKeyUsage(rawValue: 1 << 5)

    /// Every use.
    public static let useAny = SecTrustSettingsKeyUsage(rawValue: 0xFFFF_FFFF)
}

/// What a trust setting says.
public enum SecTrustSettingsResult: UInt32, Sendable {
    /// Not a valid setting.
    case invalid = 0

    /// This root is trusted.
    case trustRoot = 1

    /// This certificate is trusted as if it were a root.
    case trustAsRoot = 2

    /// This certificate is distrusted.
    case deny = 3

    /// No decision; the chain of the certificate decides.
    case unspecified = 4
}

/// Whose trust settings they are.
public enum SecTrustSettingsDomain: UInt32, Sendable {
    /// The user's.
    case user = 0

    /// The administrator's, for all users.
    case admin = 1

    /// The system's, built in.
    case system = 2
}
