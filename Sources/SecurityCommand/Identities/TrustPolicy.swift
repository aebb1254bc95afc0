// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// What a certificate is to be good for: a policy as the command line names it.
struct TrustPolicy: Sendable {
    /// Its names on the command line: that of `find-identity`, and that of `verify-cert`.
    let names: [String]
    /// What `find-identity` prints.
    let title: String
    private let identifier: String
    /// Nil for a policy that makes no difference between servers and clients.
    private let isClient: Bool?
    private let checks: CheckedName?

    /// The kind of name that a policy compares with those of a certificate.
    enum CheckedName: String, Sendable {
        case host
        case emailAddress = "email address"
    }

    private init(
        _ names: [String], _ title: String, _ identifier: CFString, isClient: Bool? = nil, checks: CheckedName? = nil
    ) {
        (self.names, self.title, self.isClient, self.checks) = (names, title, isClient, checks)
        self.identifier = "\(identifier)"
    }

    /// The policies that there are here.
    static let all = [
        TrustPolicy(["basic"], "X.509 Basic", kSecPolicyAppleX509Basic),
        TrustPolicy(["ssl-client"], "SSL (client)", kSecPolicyAppleSSL, isClient: true, checks: .host),
        TrustPolicy(["ssl-server", "ssl"], "SSL (server)", kSecPolicyAppleSSL, isClient: false, checks: .host),
        TrustPolicy(["smime"], "S/MIME", kSecPolicyAppleSMIME, checks: .emailAddress),
        TrustPolicy(["eap"], "EAP", kSecPolicyAppleEAP, isClient: false, checks: .host),
        TrustPolicy(["ipsec", "IPSec"], "IPsec", kSecPolicyAppleIPsec, isClient: false, checks: .host),
        TrustPolicy(["codesigning", "codeSign"], "Code Signing", kSecPolicyAppleCodeSigning),
        TrustPolicy(["timestamping"], "Time Stamping", kSecPolicyAppleTimeStamping),
    ]

    /// - Throws: ``CommandFailure`` for one that is not there.
    static func named(_ name: String) throws -> TrustPolicy {
        guard let policy = all.first(where: { $0.names.contains(name) }) else {
            throw CommandFailure.usage(
                "-p takes one of \(all.map { $0.names[0] }.joined(separator: ", "))"
            )
        }
        return policy
    }

    /// The policy for the certificates of clients; nil where there is no such difference.
    var ofClients: TrustPolicy? {
        isClient == nil ? nil : TrustPolicy(names, title, identifier as CFString, isClient: true, checks: checks)
    }

    /// The policy for a host or an address, where one is named. Clients have names, too.
    ///
    /// - Parameters:
    ///   - kind: What the name is said to be; nil for what the policy checks.
    ///   - option: The option that names it.
    /// - Throws: ``CommandFailure`` for a name that the policy does not check: nobody is to believe that it was.
    func policy(for name: String? = nil, _ kind: CheckedName? = nil, option: String = "-n") throws -> SecPolicy {
        var properties: [CFString: Any] = [:]
        if let name {
            guard let checks else {
                throw CommandFailure.usage("\(option): the policy \(names[0]) does not check a name")
            }
            guard kind == nil || kind == checks else {
                throw CommandFailure.usage("\(option): the policy \(names[0]) checks the \(checks.rawValue)")
            }
            guard !name.isEmpty else { throw CommandFailure.usage("\(option): the name is empty") }
            properties[kSecPolicyName] = name
        }
        if let isClient { properties[kSecPolicyClient] = isClient }
        guard let policy = SecPolicyCreateWithProperties(identifier as CFString, properties as CFDictionary) else {
            throw CommandFailure("SecPolicyCreate", errSecParam)
        }
        return policy
    }
}
