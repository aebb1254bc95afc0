// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rules by which a chain of certificates is judged.
///
/// Made by `SecPolicyCreateSSL`, `SecPolicyCreateBasicX509` and their like; it never changes. Two policies are equal if
/// they judge alike. Apple: [SecPolicy](https://developer.apple.com/documentation/security/secpolicy).
public final class SecPolicy: NSObject, @unchecked Sendable {
    /// One of the `kSecPolicyApple…` constants.
    let identifier: String
    let rules: TrustRules

    init(_ identifier: CFString, _ rules: TrustRules) {
        self.identifier = identifier as String
        self.rules = rules
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecPolicy else { return false }
        return identifier == other.identifier && rules == other.rules
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        hasher.combine(rules)
        return hasher.finalize()
    }

    public override var description: String {
        "<SecPolicy: \(identifier)>"
    }
}

extension SecPolicy: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.policy
}

/// Gives the type identifier of policies, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecPolicyGetTypeID() -> CFTypeID {
    SecPolicy.typeIdentifier
}

/// Gives what a policy was made of: `kSecPolicyOid`, `kSecPolicyName` where there is a name, and `kSecPolicyClient` for
/// clients. Apple:
/// [SecPolicyCopyProperties](https://developer.apple.com/documentation/security/secpolicycopyproperties(_:)).
@discardableResult
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    policyRef.properties
}

/// Policies that are there for servers and for clients, and their three identifiers.
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
