// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Policies as objects: their properties, and when two are equal.
@Suite struct TrustPolicyTests {
    @Test func policy_tellsItsProperties() throws {
        let server = SecPolicyCreateSSL(true, "host.example.org" as CFString)
        let told = try #require(SecPolicyCopyProperties(server) as? [String: Any])
        #expect(told[kSecPolicyOid as String] as? String == kSecPolicyAppleSSL as String)
        #expect(told[kSecPolicyName as String] as? String == "host.example.org")
        #expect(told[kSecPolicyClient as String] == nil)
        let client = try #require(SecPolicyCopyProperties(SecPolicyCreateSSL(false, nil)) as? [String: Any])
        #expect(client[kSecPolicyClient as String] as? Bool == true)
        #expect(client[kSecPolicyName as String] == nil)
        let basic = try #require(SecPolicyCopyProperties(SecPolicyCreateBasicX509()) as? [String: Any])
        #expect(basic[kSecPolicyOid as String] as? String == kSecPolicyAppleX509Basic as String)
        #expect(CFGetTypeID(server) == SecPolicyGetTypeID())
        #expect(SecPolicyGetTypeID() != SecTrustGetTypeID())
    }

    /// A policy made from another policy's properties equals that policy.
    @Test func policy_ofItsOwnProperties_isTheSame() throws {
        let policies = [
            SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil), SecPolicyCreateSSL(false, nil),
            SecPolicyCreateSSL(true, "a.example.org" as CFString),
            SecPolicyCreateSSL(false, "a.example.org" as CFString),
        ]
        for (index, policy) in policies.enumerated() {
            let properties = try #require(SecPolicyCopyProperties(policy))
            let identifier = try #require(properties[kSecPolicyOid] as? NSString)
            let again = SecPolicyCreateWithProperties(identifier, properties)
            #expect(again == policy)
            #expect(again?.hashValue == policy.hashValue)
            #expect(CFEqual(again, policy))
            for (other, second) in policies.enumerated() { #expect((policy == second) == (index == other)) }
        }
    }

    @Test func policy_thatIsNotThere_isNil() {
        #expect(SecPolicyCreateRevocation(0) == nil)
        #expect(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) != nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleRevocation, nil) != nil)
        #expect(SecPolicyCreateWithProperties("1.2.3" as CFString, nil) == nil)
        #expect(SecPolicyCreateWithProperties(NSNumber(value: 1), nil) == nil)
        let wrong = [kSecPolicyName as String: 1] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, wrong) == nil)
        let clients = [kSecPolicyClient as String: "yes"] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, clients) == nil)
        for identifier in [
            kSecPolicyAppleSMIME, kSecPolicyAppleEAP, kSecPolicyAppleIPsec, kSecPolicyAppleCodeSigning,
            kSecPolicyAppleTimeStamping, kSecPolicyAppleSSLServer, kSecPolicyAppleSSLClient,
        ] {
            #expect(SecPolicyCreateWithProperties(identifier, nil) != nil, "\(identifier)")
        }
    }
}
