// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the basic policy: the chain is well formed, leads to an anchor and holds on the date. Apple:
/// [SecPolicyCreateBasicX509](https://developer.apple.com/documentation/security/secpolicycreatebasicx509()).
///
/// RSA keys below 1024 bits, and signatures with SHA-1, MD5 or older digests are refused, except on certificates that
/// signed themselves.
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy {
    SecPolicy(kSecPolicyAppleX509Basic, TrustRules())
}

/// Makes the policy for TLS. Apple:
/// [SecPolicyCreateSSL](https://developer.apple.com/documentation/security/secpolicycreatessl(_:_:)).
///
/// Beside the basic policy: a certificate that says what it is for has to be for servers, or for clients. The leaf has
/// to have the host among its alternative names; its common name is not looked at. A `*` stands for one whole label on
/// the left, with at least two labels behind it. An IP address has to be an address among them.
///
/// For servers, as Apple has it: RSA keys have 2048 bits or more and curves 256; a leaf that was issued after June 2019
/// says that it is a server's and is valid for 825 days at most. These hold with anchors of your own, too. Not there:
/// the limit of 398 days and certificate transparency, which Apple demands of the authorities that it ships.
///
/// - Parameters:
///   - server: Whether the chain is a server's, rather than a client's.
///   - hostname: The name or IP address that was connected to; nil for any.
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    tlsPolicy(kSecPolicyAppleSSL, isServer: server, hosts: hostname.map { [$0 as String] })
}

/// Makes the policy for revocation, to be used with another one. Apple:
/// [SecPolicyCreateRevocation](https://developer.apple.com/documentation/security/secpolicycreaterevocation(_:)).
///
/// Nothing is fetched: what is known of revocation is what `SecTrustSetOCSPResponse` is given. With
/// `kSecRevocationRequirePositiveResponse` a leaf fails of which no such response says that it is good.
///
/// - Parameter revocationFlags: `kSecRevocation…` flags.
/// - Returns: The policy, or nil if no flag is set.
@discardableResult
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    guard revocationFlags != 0 else { return nil }
    var rules = TrustRules()
    rules.revocation = revocationFlags
    return SecPolicy(kSecPolicyAppleRevocation, rules)
}

/// Makes a policy of its identifier and properties. Apple:
/// [SecPolicyCreateWithProperties](https://developer.apple.com/documentation/security/secpolicycreatewithproperties(_:_:)).
///
/// - Parameters:
///   - policyIdentifier: A `kSecPolicyApple…` constant: X509Basic, SSL, EAP, IPsec (and those for servers or clients
///     alone), SMIME, CodeSigning, TimeStamping or Revocation.
///   - properties: `kSecPolicyName` (host, hosts for EAP, or e-mail address), `kSecPolicyClient` and
///     `kSecPolicyRevocationFlags`. Others are ignored.
/// - Returns: The policy, or nil for one that is not there or a property of the wrong type.
@discardableResult
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    try? PolicyRequest(policyIdentifier, properties).policy
}

/// Makes a policy of its identifier alone. Deprecated by Apple in favour of `SecPolicyCreateWithProperties`.
@discardableResult
public func SecPolicyCreateWithOID(_ policyOID: CFTypeRef) -> SecPolicy? {
    SecPolicyCreateWithProperties(policyOID, nil)
}

/// A policy of one of the families that are there for servers and for clients.
func tlsPolicy(
    _ identifier: CFString, isServer: Bool, hosts: [String]?, revocation: CFOptionFlags = 0
) -> SecPolicy {
    var rules = TrustRules()
    rules.hosts = hosts
    rules.revocation = revocation
    let isTLS = identifier == kSecPolicyAppleSSL
    if identifier != kSecPolicyAppleIPsec { rules.purposes = isServer ? TrustRules.server : TrustRules.client }
    rules.isServer = isTLS && isServer
    let family = PolicyFamily(identifier as String)
    return SecPolicy((isServer ? family?.server : family?.client) ?? identifier, rules)
}
