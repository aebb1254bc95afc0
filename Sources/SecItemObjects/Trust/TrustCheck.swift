// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A possible failure of a certificate in a chain. The raw values are Apple's names in results.
package enum TrustCheck: String, CaseIterable, Codable, Sendable {
    case sslHostname = "SSLHostname"
    case email = "Email"
    case temporalValidity = "TemporalValidity"
    case weakKeySize = "WeakKeySize"
    case weakSignature = "WeakSignature"
    case keyUsage = "KeyUsage"
    case extendedKeyUsage = "ExtendedKeyUsage"
    case basicConstraintsCA = "BasicConstraintsCA"
    case pathLength = "BasicConstraintsPathLen"
    case anchorTrusted = "AnchorTrusted"
    case missingIntermediate = "MissingIntermediate"
    case keySize = "KeySize"
    case criticalExtensions = "CriticalExtensions"
    case unparseableExtension = "UnparseableExtension"
    case duplicateExtension = "DuplicateExtension"
    case nonEmptySubject = "NonEmptySubject"
    case chainLength = "ChainLength"
    case certificateProcessing = "BasicCertificateProcessing"
    case nameConstraints = "NameConstraints"
    case policyConstraints = "PolicyConstraints"
    case revocation = "Revocation"
    case revocationResponseRequired = "RevocationResponseRequired"
    case validityPeriod = "OtherTrustValidityPeriod"
    case serverAuthentication = "ServerAuthEKU"
    /// The only name that is not Apple's.
    case cost = "EvaluationCost"
}

extension TrustCheck {
    /// The kind of failure. If there are several, the caller gets the first kind in this order.
    enum Kind: Int, Comparable {
        case revoked
        case cost
        case keySize
        case weakHash
        case compliance
        case pinning
        case trust
        case usage
        case name
        case expired

        static func < (first: Kind, second: Kind) -> Bool { first.rawValue < second.rawValue }
    }

    var kind: Kind { row.kind }

    /// The code of the error.
    var status: OSStatus { row.status }

    /// Whether no exception can accept it, because something is broken or could not be checked.
    var isFatal: Bool {
        [.weakKeySize, .weakSignature, .revocation, .certificateProcessing, .cost].contains(self)
    }

    /// A description for developers.
    var sentence: String { row.sentence }

    /// A description for people with the name of the certificate. The texts are Apple's, because programs compare them,
    /// except that for ``Kind/cost``.
    func sentence(on name: String) -> String {
        switch kind {
        case .revoked: "“\(name)” certificate is revoked"
        case .cost: "“\(name)” certificate is too complex to verify"
        case .keySize: "“\(name)” certificate is using a broken key size"
        case .weakHash: "“\(name)” certificate is using a broken signature algorithm"
        case .compliance: "“\(name)” certificate is not standards compliant"
        case .pinning: "“\(name)” certificates do not meet pinning requirements"
        case .trust: "“\(name)” certificate is not trusted"
        case .usage: "“\(name)” certificate is not permitted for this usage"
        case .name: "“\(name)” certificate name does not match input"
        case .expired: "“\(name)” certificate is expired"
        }
    }

    private var row: (kind: Kind, status: OSStatus, sentence: String) {
        switch self {
        case .sslHostname: (.name, errSecHostNameMismatch, "no alternative name is the host")
        case .email: (.name, errSecSMIMEEmailAddressesNotFound, "no name is the e-mail address")
        case .temporalValidity: (.expired, errSecCertificateExpired, "the date is outside its validity")
        case .weakKeySize: (.keySize, errSecUnsupportedKeySize, "its key is weak")
        case .weakSignature: (.weakHash, errSecInvalidDigestAlgorithm, "its signature has a weak digest")
        case .keyUsage: (.usage, errSecInvalidKeyUsageForPolicy, "its key is not for this use")
        case .extendedKeyUsage: (.usage, errSecInvalidExtendedKeyUsage, "it is not for this purpose")
        case .basicConstraintsCA: (.compliance, errSecNoBasicConstraintsCA, "it is no authority")
        case .pathLength: (.compliance, errSecPathLengthConstraintExceeded, "an authority permits fewer below it")
        case .anchorTrusted: (.trust, errSecNotTrusted, "the root is not trusted")
        case .missingIntermediate: (.trust, errSecCreateChainFailed, "its issuer is not known")
        case .keySize: (.keySize, errSecUnsupportedKeySize, "its key is too short for this use")
        case .criticalExtensions:
            (.compliance, errSecUnknownCriticalExtensionFlag, "a critical extension is not understood")
        case .unparseableExtension: (.compliance, errSecUnknownCertExtension, "an extension cannot be read")
        case .duplicateExtension:
            (.compliance, errSecCertificateDuplicateExtension, "it has two extensions of one kind")
        case .nonEmptySubject: (.compliance, errSecInvalidSubjectName, "it has no subject")
        case .chainLength: (.pinning, errSecPathLengthConstraintExceeded, "the chain is too long")
        case .certificateProcessing: (.compliance, errSecInvalidCertificateRef, "it does not belong in a chain")
        case .nameConstraints: (.compliance, errSecInvalidName, "an authority does not permit its name")
        case .policyConstraints: (.compliance, errSecInvalidPolicyIdentifiers, "a policy that is demanded is missing")
        case .revocation: (.revoked, errSecCertificateRevoked, "it was revoked")
        case .revocationResponseRequired:
            (.pinning, errSecIncompleteCertRevocationCheck, "nobody says that it was not revoked")
        case .validityPeriod: (.compliance, errSecCertificateValidityPeriodTooLong, "it is valid for too long")
        case .cost:
            (
                .cost, errSecDataTooLarge,
                "its certificates, names, constraints, policies or paths are too many for one evaluation"
            )
        case .serverAuthentication: (.usage, errSecInvalidExtendedKeyUsage, "it does not say that it is a server's")
        }
    }
}

extension TrustCheck {
    /// Converts an error number of OpenSSL, from <openssl/x509_vfy.h>. Unlisted numbers are failures too.
    init(verifyError: CInt) {
        self = Self.byVerifyError[verifyError] ?? .certificateProcessing
    }

    private static let byVerifyError: [CInt: TrustCheck] = [
        2: .missingIntermediate, 9: .temporalValidity, 10: .temporalValidity,
        18: .anchorTrusted, 19: .anchorTrusted, 20: .missingIntermediate, 21: .missingIntermediate,
        22: .chainLength, 25: .pathLength, 26: .extendedKeyUsage, 27: .anchorTrusted, 28: .anchorTrusted,
        32: .keyUsage, 34: .criticalExtensions, 37: .basicConstraintsCA, 41: .unparseableExtension,
        42: .policyConstraints, 43: .policyConstraints, 47: .nameConstraints, 48: .nameConstraints,
        49: .nameConstraints, 51: .nameConstraints, 52: .nameConstraints, 53: .nameConstraints,
        66: .keySize, 67: .keySize, 68: .weakSignature, 79: .basicConstraintsCA,
    ]
}
