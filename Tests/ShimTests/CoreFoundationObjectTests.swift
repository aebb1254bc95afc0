// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@testable import SecItemObjects

/// Objects of the library's own classes. Foundation keeps them in boxes, which no client may notice.
@Suite struct CoreFoundationObjectTests {
    /// Pairs of equal objects, one pair for each class that has a value.
    private static func pairs() throws -> [(AnyObject, AnyObject)] {
        let parameters = [kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256] as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(parameters, nil))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
        let attributes = try #require(SecKeyCopyAttributes(key))
        let sameKey = try #require(SecKeyCreateWithData(bytes, attributes, nil))
        let certificates = try (0..<2).map { _ in
            try #require(SecCertificateCreateWithData(nil, KeyVectors.p256Certificate as CFData))
        }
        var trust: SecTrust?
        SecTrustCreateWithCertificates(certificates[0], SecPolicyCreateBasicX509(), &trust)
        let control = { SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil) }
        let task = try #require(SecTaskCreateFromSelf(nil))
        return [
            (key, sameKey), (certificates[0], certificates[1]),
            (SecIdentity(certificates[0], key), SecIdentity(certificates[1], sameKey)),
            (SecPolicyCreateBasicX509(), SecPolicyCreateBasicX509()),
            (try #require(control()), try #require(control())),
            (try #require(trust), try #require(trust)), (task, task),
        ]
    }

    // They have to live as long as their addresses are used.
    private let keyText = NSString(string: "key")
    private let valueText = NSString(string: "value")
    private let otherText = NSString(string: "other")

    private func address(_ object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    private func isSame(_ value: Any?, _ object: AnyObject) -> Bool {
        value.map { $0 as AnyObject } === object
    }

    @Test func object_inAnArray_isItself() throws {
        for (object, same) in try Self.pairs() {
            let arrays = [
                NSArray(object: object), [object] as NSArray, NSMutableArray(array: [object]), NSArray(objects: object),
                NSArray(array: [object] as NSArray), NSSet(object: object).allObjects as NSArray,
            ]
            for array in arrays {
                #expect(isSame(array[0], object))
                #expect(isSame((array as [AnyObject])[0], object))
                #expect(CFArrayGetValueAtIndex(array, 0) == address(object))
                #expect(array.contains(same))
                #expect(array.index(of: same) == 0)
                #expect(array.isEqual([same] as NSArray))
                #expect(CFEqual(array, [same] as NSArray))
                #expect(CFHash(array) == CFHash([same] as NSArray))
                #expect(CFArrayGetFirstIndexOfValue(array, CFRange(location: 0, length: 1), address(same)) == 0)
            }
            #expect(NSSet(array: [object, same]).count == 1)
            #expect(CFSetContainsValue(NSSet(object: object), address(same)))
        }
    }

    @Test func object_inADictionary_isItself() throws {
        for (object, same) in try Self.pairs() {
            let dictionary = ["key": object] as NSDictionary
            #expect(isSame(dictionary["key"], object))
            #expect(isSame((dictionary as? [String: AnyObject])?["key"], object))
            #expect(isSame((dictionary as? [CFString: Any])?["key"], object))
            #expect(CFDictionaryGetValue(dictionary, address(keyText)) == address(object))
            #expect(CFDictionaryContainsValue(dictionary, address(same)))
            #expect(dictionary == ["key": same] as NSDictionary)
            // Foundation gives the values as they are in its collection: in a box, which the functions see through.
            let value = try #require(dictionary.allValues.first) as AnyObject
            #expect(CFGetTypeID(value) == CFGetTypeID(object))
            #expect(CFEqual(value, same))
            #expect(CFEqual(same, value))
            #expect(CFHash(value) == CFHash(object))
            #expect(CFCopyDescription(value) == CFCopyDescription(object))
        }
    }

    @Test func object_asAKey_isFound() throws {
        for (object, same) in try Self.pairs() {
            let dictionary = NSMutableDictionary()
            CFDictionarySetValue(dictionary, address(object), address(valueText))
            #expect(CFDictionaryGetCount(dictionary) == 1)
            #expect(CFDictionaryContainsKey(dictionary, address(same)))
            #expect((dictionary.object(forKey: same) as? String) == "value")
            var keys: [UnsafeRawPointer?] = [nil]
            var values: [UnsafeRawPointer?] = [nil]
            CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
            #expect(keys == [address(object)])
            #expect(SecItemObjects.object(at: values[0]) as? String == "value")
            CFDictionaryAddValue(dictionary, address(same), address(otherText))
            CFDictionaryReplaceValue(dictionary, address(same), address(object))
            #expect(CFDictionaryGetValue(dictionary, address(object)) == address(object))
            let copy = try #require(CFDictionaryCreateCopy(nil, dictionary))
            CFDictionaryRemoveValue(dictionary, address(same))
            #expect(dictionary.count == 0)
            #expect(isSame(copy.object(forKey: same), object))
            let table = NSMapTable<AnyObject, NSString>.strongToStrongObjects()
            table.setObject("value", forKey: object)
            #expect(table.object(forKey: same) == "value")
        }
    }

    /// A program that describes these classes itself is part of this process (`OwnMembers`), so `CFCopyDescription` is asked.
    @Test func description_isThatOfCoreFoundation_andShowsNoSecret() throws {
        for (object, same) in try Self.pairs() {
            let text = try #require(CFCopyDescription(object)) as String
            #expect(text.hasPrefix("<\(type(of: object))"))
            #expect(CFCopyDescription(same) as String? == text)
        }
    }
}
