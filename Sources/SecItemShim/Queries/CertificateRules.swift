// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `kSecMatch…` rules of a query for certificates, and for the certificates of identities.
struct CertificateRules: Sendable {
    /// Normalised names of issuers. The certificate's issuer, or that of a certificate above it, must be among them.
    var issuers: Set<Data>?
    /// The policy that the certificate must satisfy.
    var policy: SecPolicy?
    /// The date on which it must be valid.
    var date: Date?
    /// Whether its chain must end at an anchor of the machine.
    var isTrusted = false
    /// An e-mail address that it must have.
    var email: String?
    /// Conditions on its subject's common name.
    var subject: [SubjectRule] = []
    /// How texts of the subject are compared.
    var subjectOptions: String.CompareOptions = []

    var isEmpty: Bool {
        issuers == nil && policy == nil && date == nil && !isTrusted && email == nil && subject.isEmpty
    }

    /// Whether the rules need a chain.
    var needsTrust: Bool { policy != nil || isTrusted }
}

/// A condition on a common name.
enum SubjectRule: Sendable {
    case contains(String)
    case startsWith(String)
    case endsWith(String)
    case isExactly(String)

    /// Whether the name meets the condition. No name contains an empty text.
    func accepts(_ name: String, _ options: String.CompareOptions) -> Bool {
        switch self {
        case .contains(let text): name.range(of: text, options: options) != nil
        case .startsWith(let text): name.range(of: text, options: options.union(.anchored)) != nil
        case .endsWith(let text): name.range(of: text, options: options.union([.anchored, .backwards])) != nil
        case .isExactly(let text): !text.isEmpty && name.compare(text, options: options) == .orderedSame
        }
    }
}
