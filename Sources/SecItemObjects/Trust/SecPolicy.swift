// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The rules for the evaluation of a chain of certificates.
///
/// `SecPolicyCreateSSL`, `SecPolicyCreateBasicX509` and similar functions make one. It never changes. Two policies are
/// equal if they have the same rules. Apple: [SecPolicy](https://developer.apple.com/documentation/security/secpolicy).
public final class SecPolicy: _CFObject, @unchecked Sendable {
    /// One of the `kSecPolicyApple…` constants.
    package let identifier: String
    let rules: TrustRules

    init(_ identifier: CFString, _ rules: TrustRules) {
        self.identifier = identifier as String
        self.rules = rules
    }
}

extension SecPolicy: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.policy

    package func isEqual(to other: SecPolicy) -> Bool {
        identifier == other.identifier && rules == other.rules
    }

    package var hashCode: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        hasher.combine(rules)
        return hasher.finalize()
    }

    package var summary: String { "<SecPolicy: \(identifier)>" }
}

/// Gives the type identifier of policies, to compare with the result of `CFGetTypeID`.
@discardableResult
public func SecPolicyGetTypeID() -> CFTypeID {
    SecPolicy.typeIdentifier
}

/// Gives the properties of a policy: `kSecPolicyOid`, `kSecPolicyName` if it has a name, and `kSecPolicyClient` for
/// clients. Apple:
/// [SecPolicyCopyProperties](https://developer.apple.com/documentation/security/secpolicycopyproperties(_:)).
@discardableResult
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    policyRef.properties
}

/// A family of policies, with one identifier for both servers and clients and one for each.
struct PolicyFamily {
    let identifier: CFString
    let server: CFString
    let client: CFString

    private static var all: [PolicyFamily] {
        [
            PolicyFamily(
                identifier: kSecPolicyAppleSSL, server: kSecPolicyAppleSSLServer, client: kSecPolicyAppleSSLClient),
            PolicyFamily(
                identifier: kSecPolicyAppleEAP, server: kSecPolicyAppleEAPServer, client: kSecPolicyAppleEAPClient),
            PolicyFamily(
                identifier: kSecPolicyAppleIPsec, server: kSecPolicyAppleIPSecServer,
                client: kSecPolicyAppleIPSecClient),
        ]
    }

    private init(identifier: CFString, server: CFString, client: CFString) {
        self.identifier = identifier
        self.server = server
        self.client = client
    }

    init?(_ name: String) {
        let families = Self.all
        guard let family = families.first(where: { [$0.identifier, $0.server, $0.client].contains(name as CFString) })
        else { return nil }
        self = family
    }

    func isClient(_ name: String) -> Bool { client as String == name }
}
