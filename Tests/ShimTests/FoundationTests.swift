// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Parts of Foundation that client code uses on Apple's platforms and that differ on Linux.
@Suite struct FoundationTests {
    // MARK: Names that Foundation lacks

    @Test func wholeNumbers_areThoseOfSwift() {
        #expect(NSInteger.self == Int.self && NSUInteger.self == UInt.self)
    }

    @Test func severalUnderlyingErrors_areKeptInAnError() throws {
        let causes = [NSError(domain: "a", code: 1), NSError(domain: "b", code: 2)]
        let error = NSError(domain: "c", code: 3, userInfo: [NSMultipleUnderlyingErrorsKey: causes])
        #expect(try #require(error.userInfo["NSMultipleUnderlyingErrorsKey"] as? [NSError]) == causes)
    }

    // MARK: AnyHashable

    @Test func anyHashable_ofConstant_equalsThatOfString() {
        #expect(AnyHashable(kSecAttrAccount) == AnyHashable("acct"))
        #expect(AnyHashable(kSecAttrAccount).hashValue == AnyHashable("acct").hashValue)
        #expect(AnyHashable(NSMutableString(string: "acct")) == AnyHashable("acct"))
        #expect(AnyHashable(kSecAttrAccount) != AnyHashable("svce"))
    }

    @Test func lookUp_inAnyHashableDictionary_findsByConstantAndByString() {
        let result: CFTypeRef = [kSecAttrAccount as String: "someone"] as CFDictionary
        let attributes = result as? [AnyHashable: Any]
        #expect(attributes?[kSecAttrAccount] as? String == "someone")
        #expect(attributes?["acct"] as? String == "someone")
        #expect((result as? [CFString: Any])?[kSecAttrAccount] as? String == "someone")

        var query: [AnyHashable: Any] = [kSecAttrService: "service"]
        query["svce"] = "other"
        #expect(query.count == 1)
        #expect((query as NSDictionary)[kSecAttrService] as? String == "other")
    }

    @Test func anyHashable_ofConstant_givesItsStringBack() {
        #expect(AnyHashable(kSecAttrAccount).base as? String == "acct")
    }

    // MARK: NSMutableDictionary

    @Test func setObject_underCopyingKey_stores() {
        let dictionary = NSMutableDictionary()
        let key: any NSCopying = NSString(string: "acct")
        dictionary.setObject("someone", forKey: key)
        dictionary.setObject("service", forKey: kSecAttrService)
        #expect(dictionary["acct"] as? String == "someone")
        #expect(dictionary[kSecAttrService] as? String == "service")
        #expect(dictionary.count == 2)
    }

    @Test func setValue_storesAndRemoves() {
        let dictionary = NSMutableDictionary()
        dictionary.setValue("someone", forKey: kSecAttrAccount as String)
        #expect(dictionary[kSecAttrAccount] as? String == "someone")
        dictionary.setValue(nil, forKey: "acct")
        dictionary.setValue(nil, forKey: "nothing")
        #expect(dictionary.count == 0)
    }

    // MARK: NSError

    @Test func error_withoutArguments_isMade() {
        let error = NSError()
        #expect(error.code == 0)
        #expect(error.domain.isEmpty)
    }

    // MARK: NSMapTable

    final class Value {}

    @Test func mapTable_letsGoOfItsValues() {
        let table = NSMapTable<NSString, Value>.strongToWeakObjects()
        var value: Value? = Value()
        table.setObject(value, forKey: "key")
        #expect(table.object(forKey: NSString(string: "key")) === value)
        #expect(table.count == 1)
        value = nil
        #expect(table.object(forKey: "key") == nil)
        #expect(table.count == 0)
    }

    @Test func mapTable_thatHoldsItsValues_keepsThem() {
        let table = NSMapTable<NSString, Value>.strongToStrongObjects()
        table.setObject(Value(), forKey: "key")
        #expect(table.object(forKey: "key") != nil)
        #expect(table.count == 1)
        table.removeAllObjects()
        #expect(table.count == 0)
    }

    @Test func mapTable_replacesAndRemoves() {
        let table = NSMapTable<NSString, Value>.strongToWeakObjects()
        let values = [Value(), Value()]
        table.setObject(values[0], forKey: "key")
        table.setObject(values[1], forKey: NSMutableString(string: "key"))
        #expect(table.object(forKey: "key") === values[1])
        table.removeObject(forKey: "key")
        #expect(table.object(forKey: "key") == nil)
        table.setObject(values[0], forKey: nil)
        table.setObject(nil, forKey: "key")
        #expect(table.count == 0)
    }
}
