// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
import Foundation
import SecItemShim
import Testing

/// C clients' arrays, which may hold NULL. A function refuses such an array or passes over the NULL, and never ends the
/// process.
@Suite struct CallerArrayTests {
    /// An array without callbacks, whose elements the caller keeps.
    private func array(_ elements: [AnyObject?]) -> NSArray {
        var values = elements.map { $0.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
        return unsafeBitCast(CoreFoundation.CFArrayCreate(nil, &values, values.count, nil), to: NSArray.self)
    }

    @Test func trust() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, MadeCertificate().data as NSData))
        let policy = SecPolicyCreateBasicX509()
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(array([nil]), policy, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(array([certificate, nil]), policy, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(certificate, array([nil, policy]), &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(array([certificate]), array([policy]), &trust) == errSecSuccess)
        let made = try #require(trust)
        #expect(SecTrustSetAnchorCertificates(made, array([nil])) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(made, array([certificate])) == errSecSuccess)
        #expect(SecTrustSetPolicies(made, array([nil])) == errSecParam)
        #expect(SecTrustSetOCSPResponse(made, array([nil])) == errSecParam)
    }

    @Test func policyNames() {
        for (elements, isPolicy) in [([nil], false), (["a" as NSString, nil], false), (["a" as NSString], true)]
            as [([AnyObject?], Bool)]
        {
            let policy = SecPolicyCreateWithProperties(
                kSecPolicyAppleSSL, [kSecPolicyName: array(elements)] as NSDictionary)
            #expect((policy != nil) == isPolicy)
        }
    }

    @Test func export() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, MadeCertificate().data as NSData))
        var data: SecItemShim.CFData?
        #expect(SecItemExport(array([nil]), .formatPEMSequence, [], nil, &data) == errSecParam)
        #expect(SecItemExport(array([certificate, nil]), .formatPEMSequence, [], nil, &data) == errSecParam)
        #expect(SecItemExport(array([certificate]), .formatPEMSequence, [], nil, &data) == errSecSuccess)
    }

    @Test func names() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, MadeCertificate().data as NSData))
        #expect(SecCertificateCopyValues(certificate, array([nil]), nil) == nil)
        #expect(SecCertificateCopyValues(certificate, array([kSecOIDX509V1Version]), nil)?.count == 1)
        let task = try #require(SecTaskCreateFromSelf(nil))
        #expect(SecTaskCopyValuesForEntitlements(task, array([nil]), nil)?.count == 0)
    }
}
