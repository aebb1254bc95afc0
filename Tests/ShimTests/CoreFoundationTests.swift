// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Core Foundation's functions on objects and errors that client code uses.
@Suite struct CoreFoundationTests {
    struct Failure: Error {}
    final class Stranger {}

    // MARK: Types

    @Test func typeID_ofEveryKind_isItsOwn() {
        let objects: [(CFTypeRef, CFTypeID)] = [
            (NSString(string: "x"), CFStringGetTypeID()),
            (NSMutableString(string: "x"), CFStringGetTypeID()),
            (kSecClass, CFStringGetTypeID()),
            (NSData(), CFDataGetTypeID()),
            (NSMutableData(), CFDataGetTypeID()),
            (NSNumber(value: 1), CFNumberGetTypeID()),
            (NSNumber(value: 0.5), CFNumberGetTypeID()),
            (NSNumber(value: Int8(1)), CFNumberGetTypeID()),
            (kCFBooleanTrue, CFBooleanGetTypeID()),
            (NSNumber(value: false), CFBooleanGetTypeID()),
            (NSDate(), CFDateGetTypeID()),
            (NSMutableDictionary(), CFDictionaryGetTypeID()),
            (NSArray(), CFArrayGetTypeID()),
            (NSSet(), CFSetGetTypeID()),
            (NSNull(), CFNullGetTypeID()),
            (NSUUID(), CFUUIDGetTypeID()),
            (NSError(domain: "d", code: 1), CFErrorGetTypeID()),
        ]
        for (object, typeID) in objects {
            #expect(CFGetTypeID(object) == typeID, "\(type(of: object))")
        }
        let kinds = [
            CFStringGetTypeID(), CFDataGetTypeID(), CFNumberGetTypeID(), CFBooleanGetTypeID(), CFDateGetTypeID(),
            CFDictionaryGetTypeID(), CFArrayGetTypeID(), CFNullGetTypeID(), CFErrorGetTypeID(),
            CFSetGetTypeID(), CFURLGetTypeID(), CFUUIDGetTypeID(), SecAccessControlGetTypeID(),
        ]
        #expect(Set(kinds).count == kinds.count)
    }

    @Test func typeID_ofBridgedSwiftValue_isThatOfWhatItBridgesTo() {
        #expect(CFGetTypeID("x" as AnyObject) == CFStringGetTypeID())
        #expect(CFGetTypeID("xyz".dropFirst() as AnyObject) == CFStringGetTypeID())
        #expect(CFGetTypeID(Data([1]) as AnyObject) == CFDataGetTypeID())
        #expect(CFGetTypeID(1 as AnyObject) == CFNumberGetTypeID())
        #expect(CFGetTypeID(UInt32(1) as AnyObject) == CFNumberGetTypeID())
        #expect(CFGetTypeID(true as AnyObject) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(Date() as AnyObject) == CFDateGetTypeID())
        #expect(CFGetTypeID(["a": 1] as AnyObject) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID([1] as AnyObject) == CFArrayGetTypeID())
        #expect(CFGetTypeID(UUID() as AnyObject) == CFUUIDGetTypeID())
        #expect(CFGetTypeID(Failure() as AnyObject) == CFErrorGetTypeID())
    }

    @Test func typeID_ofValueInDictionary_tellsBooleansFromNumbers() throws {
        let query = ["flag": true, "one": 1, "text": "x"] as [String: Any] as CFDictionary
        #expect(CFGetTypeID(try #require(query["flag"]) as AnyObject) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(try #require(query["one"]) as AnyObject) == CFNumberGetTypeID())
        #expect(CFGetTypeID(try #require(query["text"]) as AnyObject) == CFStringGetTypeID())
    }

    @Test func typeID_ofAnythingElse_isNoneOfTheseAndDoesNotCrash() {
        #expect(CFGetTypeID(nil) == 0)
        #expect(CFGetTypeID(Stranger()) == CFGetTypeID(NSObject()))
        // A Swift value that does not bridge is in a box.
        #expect(CFGetTypeID((1..<2) as AnyObject) == CFGetTypeID(NSObject()))
    }

    // MARK: Equality

    @Test func equal_comparesContent_andTellsTrueFromOne() {
        #expect(CFEqual("acct" as CFString, kSecAttrAccount))
        #expect(CFEqual(Data([1]) as CFData, NSData(data: Data([1]))))
        #expect(!CFEqual(kCFBooleanTrue, NSNumber(value: 1)))
        #expect(!CFEqual("1" as CFString, NSNumber(value: 1)))
        #expect(CFHash("acct" as CFString) == CFHash(kSecAttrAccount))
        #expect(CFEqual(nil, nil))
        #expect(!CFEqual(nil, "" as CFString))
        #expect(!CFEqual("" as CFString, nil))
    }

    @Test func data_ofNoBytes_hasNoPointer() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let data = try #require(CFDataCreate(kCFAllocatorDefault, bytes, 2))
        #expect(data as Data == Data([1, 2]))
        #expect(CFDataGetBytePtr(data)?.pointee == 1)
        #expect(CFDataCreate(nil, bytes, -1) == nil)
        for empty in [CFDataCreate(nil, bytes, 0), CFDataCreate(nil, nil, 5), CFDataCreate(nil, nil, 0)] {
            #expect(CFDataGetLength(empty) == 0)
            #expect(CFDataGetBytePtr(empty) == nil)
        }
        #expect(CFDataGetBytePtr(nil) == nil)
    }

    // MARK: Errors

    @Test func error_givesBackWhatItWasMadeOf() {
        let userInfo = [kCFErrorLocalizedDescriptionKey as String: "No luck."] as CFDictionary
        let error = CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, Int(errSecParam), userInfo)
        #expect(CFErrorGetCode(error) == -50)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFErrorCopyDescription(error) as String == "No luck.")
        #expect((CFErrorCopyUserInfo(error) as? [String: Any])?.count == 1)
        #expect(CFErrorCopyFailureReason(error) == nil)
    }

    @Test func error_withoutUserInfo_hasAnEmptyOne() {
        let error = CFErrorCreate(nil, "domain" as CFString, 7, nil)
        #expect(CFErrorCopyUserInfo(error).count == 0)
        #expect((error as NSError?)?.code == 7)
    }

    @Test func error_thatIsNil_givesNothingAndDoesNotCrash() {
        #expect(CFErrorGetCode(nil) == 0)
        #expect(CFErrorGetDomain(nil) == nil)
        #expect(CFErrorCopyUserInfo(nil) == nil)
        #expect(CFErrorCopyDescription(nil) == nil)
    }

    // MARK: Idioms

    @Test func booleans_goIntoEveryKindOfQuery() {
        var strings: [String: Any] = [:]
        strings[kSecReturnData as String] = kCFBooleanTrue
        var hashables: [String: AnyHashable] = [:]
        hashables[String(kSecReturnData)] = kCFBooleanTrue
        let keys: [CFString: Any] = [kSecReturnData: kCFBooleanTrue as Any]
        for query in [strings as CFDictionary, hashables as CFDictionary, keys as CFDictionary] {
            #expect((query[kSecReturnData] as? Bool) == true)
        }
    }

    @Test func status_switchesOverConstants() {
        func isKnown(_ status: OSStatus) -> Bool {
            switch status {
            case errSecSuccess, errSecItemNotFound: true
            default: false
            }
        }
        #expect(isKnown(noErr))
        #expect(isKnown(-25300))
        #expect(!isKnown(errSecParam))
    }
}
