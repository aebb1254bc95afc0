// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The key usage extension of a certificate.

/// What the key of a certificate may be used for.
public struct SecKeyUsage: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// No flag at all. As on Apple's platforms it is spelt `[]` in Swift.
    @available(*, unavailable, message: "use [] to construct an empty option set")
    public static var unspecified: SecKeyUsage { [] }

    /// Digital signatures.
    public static let digitalSignature = SecKeyUsage(rawValue: 1 << 0)

    /// Signatures that cannot be disowned.
    public static let nonRepudiation = SecKeyUsage(rawValue: 1 << 1)

    /// The newer name of `nonRepudiation`.
    public static let contentCommitment = SecKeyUsage(rawValue: 1 << 1)

    /// Encryption of keys.
    public static let keyEncipherment = SecKeyUsage(rawValue: 1 << 2)

    /// Encryption of data.
    public static let dataEncipherment = SecKeyUsage(rawValue: 1 << 3)

    /// Key agreement.
    public static let keyAgreement = SecKeyUsage(rawValue: 1 << 4)

    /// Signing of certificates.
    public static let keyCertSign = SecKeyUsage(rawValue: 1 << 5)

    /// Signing of revocation lists.
    public static let crlSign = SecKeyUsage(rawValue: 1 << 6)

    /// Key agreement for encryption only.
    public static let encipherOnly = SecKeyUsage(rawValue: 1 << 7)

    /// Key agreement for decryption only.
    public static let decipherOnly = SecKeyUsage(rawValue: 1 << 8)

    /// The extension is critical.
    public static let critical = SecKeyUsage(rawValue: 1 << 31)

    /// Every use.
    public static let all = SecKeyUsage(rawValue: 0x7FFF_FFFF)
}
