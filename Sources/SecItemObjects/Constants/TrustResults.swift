// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// The outcome of a trust evaluation, and its options.

/// The outcome of a trust evaluation.
public enum SecTrustResultType: UInt32, Sendable {
    /// Not evaluated yet.
    case invalid = 0

    /// The user trusts the chain explicitly.
    case proceed = 1

    /// The user wants to be asked. No longer produced by Apple.
    case confirm = 2

    /// The user distrusts the chain explicitly.
    case deny = 3

    /// The chain is valid, and the user has made no setting for it.
    case unspecified = 4

    /// The chain is not trusted, but the user may overrule that.
    case recoverableTrustFailure = 5

    /// The chain is not trusted, and nothing can overrule that.
    case fatalTrustFailure = 6

    /// The evaluation failed for a reason other than trust.
    case otherError = 7
}

/// How a trust evaluation is carried out.
public struct SecTrustOptionFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Accept expired certificates other than the root.
    public static let allowExpired = SecTrustOptionFlags(rawValue: 1 << 0)

    /// Accept a leaf that is an authority.
    public static let leafIsCA = SecTrustOptionFlags(rawValue: 1 << 1)

    /// Fetch missing issuers from the network.
    public static let fetchIssuerFromNet = SecTrustOptionFlags(rawValue: 1 << 2)

    /// Accept an expired root.
    public static let allowExpiredRoot = SecTrustOptionFlags(rawValue: 1 << 3)

    /// Demand a revocation check for every certificate.
    public static let requireRevPerCert = SecTrustOptionFlags(rawValue: 1 << 4)

    /// Use the trust settings of the user.
    public static let useTrustSettings = SecTrustOptionFlags(rawValue: 1 << 5)

    /// Trust self-signed certificates as anchors.
    public static let implicitAnchors = SecTrustOptionFlags(rawValue: 1 << 6)
}
