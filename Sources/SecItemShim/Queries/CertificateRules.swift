// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a query says of certificates, and of the certificates of identities: the `kSecMatch…` keys that are about them.
struct CertificateRules: Sendable {
    /// Names of issuers, normalised: the certificate's own or one above it has to be among them.
    var issuers: Set<Data>?
    /// The policy that the certificate has to satisfy.
    var policy: SecPolicy?
    /// The date at which it has to be valid.
    var date: Date?
    /// Whether it has to lead to an anchor of the machine's.
    var isTrusted = false
    /// An e-mail address that it has to have.
    var email: String?
    /// What its subject's common name has to be like.
    var subject: [SubjectRule] = []
    /// How texts of the subject are compared.
    var subjectOptions: String.CompareOptions = []

    /// Whether nothing is said.
    var isEmpty: Bool {
        issuers == nil && policy == nil && date == nil && !isTrusted && email == nil && subject.isEmpty
    }

    /// Whether a chain has to be built to know it.
    var needsTrust: Bool { policy != nil || isTrusted }
}

/// What a common name has to be like.
enum SubjectRule: Sendable {
    case contains(String)
    case startsWith(String)
    case endsWith(String)
    case isExactly(String)

    /// Whether a name is like that. An empty text is in no name.
    func accepts(_ name: String, _ options: String.CompareOptions) -> Bool {
        switch self {
        case .contains(let text): name.range(of: text, options: options) != nil
        case .startsWith(let text): name.range(of: text, options: options.union(.anchored)) != nil
        case .endsWith(let text): name.range(of: text, options: options.union([.anchored, .backwards])) != nil
        case .isExactly(let text): !text.isEmpty && name.compare(text, options: options) == .orderedSame
        }
    }
}
