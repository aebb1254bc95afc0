// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Makes the basic policy: the chain is well formed, leads to an anchor and is valid on the date. Apple:
/// [SecPolicyCreateBasicX509](https://developer.apple.com/documentation/security/secpolicycreatebasicx509()).
///
/// The policy refuses RSA keys below 1024 bits, and signatures with SHA-1, MD5 or older digests, except on self-signed
/// certificates.
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy {
    SecPolicy(kSecPolicyAppleX509Basic, TrustRules())
}

/// Makes the policy for TLS. Apple:
/// [SecPolicyCreateSSL](https://developer.apple.com/documentation/security/secpolicycreatessl(_:_:)).
///
/// In addition to the basic policy, a certificate that states its purposes must be for servers, or for clients. The
/// leaf must have the host among its alternative names; its common name is ignored. A `*` stands for one whole label on
/// the left, followed by at least two labels. If the host is an IP address, it must be among the leaf's addresses. No
/// authority of the chain may exclude the host.
///
/// For servers, Apple's further rules apply: RSA keys have at least 2048 bits, and curves at least 256. A leaf issued
/// after June 2019 states that it is for servers, and is valid for at most 825 days. These rules also apply with your
/// own anchors. Two of Apple's rules do not apply: the limit of 398 days, and certificate transparency. Apple demands
/// these of the authorities that its systems include.
///
/// - Parameters:
///   - server: True for the chain of a server, false for that of a client.
///   - hostname: The host name or IP address of the connection; nil for any.
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    tlsPolicy(kSecPolicyAppleSSL, isServer: server, hosts: hostname.map { [$0 as String] })
}

/// Makes the policy for revocation, to be used with another one. Apple:
/// [SecPolicyCreateRevocation](https://developer.apple.com/documentation/security/secpolicycreaterevocation(_:)).
///
/// The library fetches nothing from the network. It only uses the responses given to `SecTrustSetOCSPResponse`. With
/// `kSecRevocationRequirePositiveResponse`, a leaf fails unless such a response says that it is good.
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

/// Makes a policy from its identifier and properties. Apple:
/// [SecPolicyCreateWithProperties](https://developer.apple.com/documentation/security/secpolicycreatewithproperties(_:_:)).
///
/// - Parameters:
///   - policyIdentifier: A `kSecPolicyApple…` constant: X509Basic, SSL, EAP, IPsec (and their variants for servers or
///     clients alone), SMIME, CodeSigning, TimeStamping or Revocation.
///   - properties: `kSecPolicyName` (a host, several hosts for EAP, or an e-mail address), `kSecPolicyClient` and
///     `kSecPolicyRevocationFlags`. Other keys are ignored.
/// - Returns: The policy, or nil if the identifier is not supported or a property has the wrong type.
@discardableResult
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    try? PolicyRequest(policyIdentifier, properties).policy
}

/// Makes a policy from its identifier alone. Deprecated by Apple in favour of `SecPolicyCreateWithProperties`.
@discardableResult
public func SecPolicyCreateWithOID(_ policyOID: CFTypeRef) -> SecPolicy? {
    SecPolicyCreateWithProperties(policyOID, nil)
}

/// Makes a policy of a family that distinguishes servers and clients.
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
