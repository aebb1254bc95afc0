// SPDX-License-Identifier: Apache-2.0

// Members and conformances that a program adds to the classes of the framework, and the classes in collections.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

extension SecKey: CustomStringConvertible {
    public var description: String { "a key of \(SecKeyGetBlockSize(self)) bytes" }
}

extension SecCertificate: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "certificate of \(SecCertificateCopySubjectSummary(self) as String? ?? "?")" }
    public var debugDescription: String { "SecCertificate(\(hash.count))" }

    /// A digest, in place of a hash value.
    var hash: Data { Data((SecCertificateCopyData(self) as Data).prefix(4)) }
}

extension SecTrust {
    var debugDescription: String { "SecTrust(\(SecTrustGetCertificateCount(self)))" }
    var description: String { debugDescription }
    var hash: Int { 0 }
}

extension SecIdentity: CustomDebugStringConvertible {
    public var debugDescription: String { "identity" }
    var hash: Int { 1 }
    var description: String? { nil }
}

extension SecPolicy {
    var description: CFString { "policy" as CFString }
    var hash: String { "hash" }
    func isEqual(_ object: Any?) -> Bool { object is SecPolicy }
}

extension SecAccessControl: CustomStringConvertible {
    public var description: String { "access control" }
    var debugDescription: String { description }
}

private protocol Described {
    var description: String { get }
}

extension SecKey: Described {}

private func makeKey() -> SecKey {
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
    ]
    return SecKeyCreateRandomKey(attributes as CFDictionary, nil)!
}

private func checkMembers(_ key: SecKey, _ certificate: SecCertificate) throws {
    try expectEqual("\(key)", "a key of 32 bytes")
    try expectEqual(String(describing: [key]), "[a key of 32 bytes]")
    try expectEqual((key as Described).description, "a key of 32 bytes")
    try expectEqual("\(certificate)", "certificate of client.example.org")
    try expectEqual(String(reflecting: certificate), "SecCertificate(4)")
    try expectEqual(certificate.hash.count, 4)
    let identity = SecIdentityCreate(nil, certificate, key)!
    try expectEqual(identity.hash, 1)
    try expect(identity.description == nil)
    let policy = SecPolicyCreateBasicX509()
    var trust: SecTrust?
    try expectEqual(SecTrustCreateWithCertificates(certificate, policy, &trust), errSecSuccess)
    try expectEqual(trust?.description, "SecTrust(1)")
    try expectEqual(policy.description as String, "policy")
    try expect(policy.isEqual(policy))
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)!
    try expectEqual("\(control)", "access control")
}

/// Through `Any`, through `CFTypeRef`, and through each collection.
private func checkCasts(_ key: SecKey) throws {
    let any: Any = key
    let reference: CFTypeRef = key
    try expect((any as! SecKey) === key)
    try expect((reference as! SecKey) === key)
    try expect((any as AnyObject) === key)
    let array = [key, SecKeyCopyPublicKey(key)!] as CFArray
    try expect((array as? [SecKey])?.first === key)
    try expect((array as NSArray)[0] as! SecKey === key)
    try expect(((array as [AnyObject])[0] as! SecKey) === key)
    try expect(unsafeBitCast(CFArrayGetValueAtIndex(array, 0), to: SecKey.self) === key)
    let dictionary = ["key": key] as CFDictionary
    try expect(((dictionary as NSDictionary)["key"] as! SecKey) === key)
    try expect((dictionary as! [String: SecKey])["key"] === key)
    try expect((dictionary as? [CFString: Any])?["key" as CFString] as! SecKey === key)
    try expect(((dictionary as NSDictionary).allValues as? [SecKey])?.first === key)
    for (_, value) in dictionary as NSDictionary { try expect((value as! SecKey) === key) }
    for element in array as NSArray {
        guard CFGetTypeID(element as CFTypeRef) == SecKeyGetTypeID() else { throw Failure(description: "no key") }
    }
}

private func checkEquality(_ key: SecKey) throws {
    let bytes = SecKeyCopyExternalRepresentation(key, nil)!
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    ]
    let same = SecKeyCreateWithData(bytes, attributes as CFDictionary, nil)!
    let other = makeKey()
    try expect(same !== key && same == key && other != key)
    try expect(CFEqual(same, key) && !CFEqual(other, key))
    try expect(CFHash(same) == CFHash(key))
    try expect(same.hashValue == key.hashValue)
    try expectEqual(Set([key, same, other]).count, 2)
    try expectEqual([key: "one"][same], "one")
    try expectEqual(NSSet(array: [key, same, other]).count, 2)
    try expect(NSArray(array: [other, key]).contains(same))
    try expectEqual(NSArray(array: [other, key]).index(of: same), 1)
    try expect(([key] as NSArray).isEqual([same] as NSArray))
    let table: NSDictionary = [key: "one"]
    try expectEqual(table[same] as? String, "one")
    try expect((table.allKeys.first as? SecKey) === key)
}

@Sendable func checkOwnMembers() throws {
    let key = makeKey()
    let data = Data(base64Encoded: certificateText, options: .ignoreUnknownCharacters)!
    try checkMembers(key, SecCertificateCreateWithData(nil, data as CFData)!)
    try checkCasts(key)
    try checkEquality(key)
}
