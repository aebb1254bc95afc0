// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import Lockbox
import Security
import Testing
import WrapperProbe

extension WrapperTests {
    /// Items from Apple's archiver and other writers.
    @Suite struct FormatTests {
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.formats")

        private func put(_ data: Data, _ service: String) {
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary
            SecItemDelete(query)
            #expect(RawItems.add(data, service: service) == errSecSuccess)
        }

        // MARK: Archives

        private var expected: [String: NSObject] {
            let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
            let components = NSDateComponents()
            components.year = 2020
            components.month = 2
            components.day = 29
            let attributed = NSMutableAttributedString(string: "abcde")
            let key = NSAttributedString.Key(rawValue: "k")
            attributed.addAttribute(key, value: NSNumber(value: 1), range: NSRange(location: 0, length: 2))
            let plain = NSAttributedString(string: "ab", attributes: [key: NSNumber(value: 1)])
            let base = URL(string: "https://example.com/d/")
            let bytes = (0..<16).map { UInt8($0) }
            let values: [String: NSObject?] = [
                "string": "tëxt" as NSString, "string-xml": "tëxt" as NSString, "string-null": "$null" as NSString,
                "mutable-string": NSMutableString(string: "tëxt"), "integer": NSNumber(value: -42),
                "unsigned": NSNumber(value: UInt64.max), "real": NSNumber(value: 2.5), "true": NSNumber(value: true),
                "decimal": NSDecimalNumber(string: "-123.456"),
                "decimal-big-endian": NSDecimalNumber(string: "-123.456"),
                "data": Data([0, 255]) as NSData, "mutable-data": NSMutableData(data: Data([0, 255])),
                "date": date as NSDate, "null": NSNull(), "uuid": NSUUID(uuidBytes: bytes),
                "url": NSURL(string: "https://example.com/a?b#c"),
                "url-relative": NSURL(string: "x/y", relativeTo: base),
                "array": ["a", 1, ["b"]] as NSArray, "mutable-array": NSMutableArray(array: ["a"]),
                "set": NSSet(array: ["a", "b"]), "mutable-set": NSMutableSet(array: ["a"]),
                "ordered-set": NSOrderedSet(array: ["b", "a"]), "ordered-set-list": NSOrderedSet(array: ["b", "a"]),
                "dictionary": ["k": "v", 7: [true]] as [AnyHashable: Any] as NSDictionary,
                "mutable-dictionary": NSMutableDictionary(dictionary: ["k": "v"]), "shared": [["x"], ["x"]] as NSArray,
                "date-components": components, "time-zone": NSTimeZone(name: "Europe/Vienna"),
                "locale": NSLocale(localeIdentifier: "de_AT"), "index-set-none": NSIndexSet(),
                "date-interval": NSDateInterval(
                    start: Date(timeIntervalSinceReferenceDate: 1), end: Date(timeIntervalSinceReferenceDate: 61)),
                "index-set-one": NSIndexSet(indexesIn: NSRange(location: 3, length: 4)),
                "index-set-many": NSMutableIndexSet(indexSet: IndexSet([1]).union(IndexSet(integersIn: 300..<500))),
                "index-path": IndexPath(indexes: [1, 200, 3]) as NSIndexPath, "index-path-one": NSIndexPath(index: 5),
                "attributed-string": plain, "attributed-string-runs": attributed,
                "error": NSError(domain: "com.example", code: -5, userInfo: [NSLocalizedDescriptionKey: "no"]),
                "range": NSValue(range: NSRange(location: 3, length: 4)),
                "point": NSValue(point: CGPoint(x: 1, y: 2.5)), "size": NSValue(size: CGSize(width: 1, height: 2.5)),
                "rectangle": NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4.5)),
                "regular-expression": try? NSRegularExpression(pattern: "[a-z]+", options: .caseInsensitive),
            ]
            return values.compactMapValues { $0 }
        }

        @Test func everyArchive_isExpectedToBeSomething() throws {
            let special = ["nil", "calendar", "own-class", "own-class-nested"]
            let names = try Fixture.names("archives").map { $0.replacing(".plist", with: "") }
            #expect(Set(names.filter { !$0.hasPrefix("refused-") }) == Set(expected.keys).union(special))
        }

        @Test(arguments: TestStore.all)
        func archivesOfApplesForm_areRead_andWrittenAgain(_ store: TestStore) throws {
            try store.run { (_) throws in
                for (name, object) in expected {
                    put(try Fixture.data("archives", "\(name).plist"), "com.example.formats.key")
                    let read = try #require(box.unarchiveObject(forKey: "key") as? NSObject, "\(name)")
                    #expect(isEqual(object, read), "\(name)")
                    guard let coding = read as? any NSSecureCoding else { continue }
                    #expect(box.archiveObject(coding, forKey: "key"), "\(name)")
                    let again = box.unarchiveObject(forKey: "key") as? NSObject
                    #expect(again.map { isEqual(object, $0) } == true, "\(name)")
                }
            }
        }

        @Test(arguments: TestStore.all) func interval_thatTakesNoTime_comesBack(_ store: TestStore) throws {
            try store.run { (_) throws in
                let interval = NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 0)
                #expect(box.archiveObject(interval, forKey: "key"))
                let read = try #require(box.unarchiveObject(forKey: "key") as? NSObject)
                #expect(isEqual(interval, read))
            }
        }

        /// For a pattern that is taken literally, Foundation on Linux returns another form of the pattern.
        @Test(arguments: TestStore.all) func expression_ofAnyOptions_comesBack(_ store: TestStore) throws {
            try store.run { (_) throws in
                let patterns = ["[a-z]+", "", #"\[x\]"#, "a*(b)?{2}^$|./", "ä\u{301}🙂"]
                for options in [0, 1, 2, 4, 8, 16, 32, 64, 127, 229] as [UInt] {
                    for pattern in patterns {
                        let options = NSRegularExpression.Options(rawValue: options)
                        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
                            continue
                        }
                        #expect(box.archiveObject(expression, forKey: "key"), "\(options), \(pattern)")
                        let read = box.unarchiveObject(forKey: "key") as? NSRegularExpression
                        #expect(read?.pattern == expression.pattern && read?.options == expression.options)
                    }
                }
                // Options beyond the range of an archive's number are refused.
                if let expression = try? NSRegularExpression(pattern: "a", options: .init(rawValue: .max)) {
                    #expect(!box.archiveObject(expression, forKey: "key"))
                }
            }
        }

        private func isEqual(_ object: NSObject, _ read: NSObject) -> Bool {
            // On Linux, Foundation compares objects of some classes by identity, not by content.
            if let error = object as? NSError, let other = read as? NSError {
                return error.domain == other.domain && error.code == other.code
                    && error.localizedDescription == other.localizedDescription
            }
            if let interval = object as? NSDateInterval {
                let other = read as? NSDateInterval
                return interval.startDate == other?.startDate && interval.endDate == other?.endDate
            }
            if let zone = object as? NSTimeZone { return zone.name == (read as? NSTimeZone)?.name }
            if let number = object as? NSDecimalNumber {
                return number.decimalValue == (read as? NSDecimalNumber)?.decimalValue
            }
            if let text = object as? NSAttributedString, let other = read as? NSAttributedString {
                return text.isEqual(to: other)
            }
            if let array = object as? NSArray, let other = read as? NSArray {
                return array.count == other.count
                    && (0..<array.count).allSatisfy { isEqual(raw(array[$0]), raw(other[$0])) }
            }
            if let dictionary = object as? NSDictionary, let other = read as? NSDictionary {
                return dictionary.count == other.count
                    && dictionary.allKeys.allSatisfy { key in
                        other.object(forKey: key).map { isEqual(raw(dictionary.object(forKey: key)), raw($0)) } ?? false
                    }
            }
            return object.isEqual(read)
        }

        /// The members of a collection, as objects. Foundation returns some of them as Swift values.
        private func raw(_ value: Any?) -> NSObject {
            if let number = value as? CGFloat { return NSNumber(value: Double(number)) }
            return value as AnyObject as? NSObject ?? NSNull()
        }

        @Test func archiveOfNil_isNil() throws {
            try TestStore.memory.run { (_) throws in
                put(try Fixture.data("archives", "nil.plist"), "com.example.formats.key")
                #expect(box.unarchiveObject(forKey: "key") == nil)
                #expect(box.lastStatus == errSecSuccess)
            }
        }

        /// `NSURL` accepts texts that `URL` does not, and ends the process if it is bridged.
        @Test func url_thatSwiftCannotHold_isNeitherReadNorWritten() throws {
            try TestStore.memory.run { (_) throws in
                for host in ["example:com", "[xample.com"] {
                    var bytes = try Fixture.data("archives", "url-relative.plist")
                    let place = try #require(bytes.range(of: Data("example.com".utf8)))
                    bytes.replaceSubrange(place, with: Data(host.utf8))
                    put(bytes, "com.example.formats.key")
                    #expect(box.unarchiveObject(forKey: "key") == nil)
                    let url = try #require(NSURL(string: "https://\(host)/d/"))
                    #expect(!box.archiveObject(url, forKey: "key"))
                }
            }
        }

        @Test func archivesWithObjectsOfObjects_areRead() throws {
            try TestStore.memory.run { (_) throws in
                put(try Fixture.data("archives", "calendar.plist"), "com.example.formats.key")
                let calendar = try #require(box.unarchiveObject(forKey: "key") as? Calendar)
                #expect(calendar.identifier == .gregorian && calendar.firstWeekday == 2)
                #expect(calendar.locale?.identifier == "de_AT" && calendar.timeZone.secondsFromGMT() == 0)
                put(try Fixture.data("archives", "own-class.plist"), "com.example.formats.key")
                #expect((box.unarchiveObject(forKey: "key") as? Badge)?.number == 7)
                put(try Fixture.data("archives", "own-class-nested.plist"), "com.example.formats.key")
                #expect((box.unarchiveObject(forKey: "key") as? Outer.InnerBadge)?.number == 8)
            }
        }

        @Test func archivesThatShouldNotComeToLife_areNil() throws {
            try TestStore.memory.run { (_) throws in
                for name in try Fixture.names("archives") where name.hasPrefix("refused-") {
                    put(try Fixture.data("archives", name), "com.example.formats.key")
                    #expect(box.unarchiveObject(forKey: "key") == nil, "\(name)")
                    #expect(box.lastStatus == errSecDecode, "\(name)")
                }
            }
        }

        // MARK: Lists

        private func dictionary(_ name: String) throws -> [String: Any]? {
            dictionary(in: try Fixture.data("lists", name))
        }

        private func dictionary(in list: Data) -> [String: Any]? {
            put(list, "\(TestStore.application).__KCMutableDictionary__.formats")
            let dictionary = KCMutableDictionary.dictionary(withName: "formats")
            defer { dictionary.forget() }
            return dictionary.lastError == nil ? dictionary.copy() as? [String: Any] : nil
        }

        @Test func listsOfOtherWriters_areRead() throws {
            try TestStore.memory.run { (_) throws in
                for name in ["python.xml", "python.binary"] {
                    let read = try #require(try dictionary(name), "\(name)")
                    #expect(read["text"] as? String == "tëxt & <more>" && read["integer"] as? Int == -42)
                    #expect(read["real"] as? Double == 2.5 && read["flag"] as? Bool == true)
                    #expect(read["data"] as? Data == Data([0, 255]))
                    #expect((read["date"] as? Date)?.timeIntervalSince1970 == 1_577_934_245, "\(name)")
                    #expect((read["list"] as? [Any])?.count == 3 && read["nested"] as? [String: String] == ["": ""])
                }
                for name in ["uids.xml", "uids.binary"] {
                    let read = try dictionary(name)
                    #expect(
                        read?["a"] as? [String: Int] == ["CF$UID": 5]
                            && read?["b"] as? [String: Int] == ["CF$UID": 70_000])
                }
                #expect(try dictionary("reals.binary")?["reals"] as? [AnyHashable] != nil)
                #expect((try dictionary("lengths.binary")?["long"] as? String)?.count == 300)
            }
        }

        /// The markup around a list, and the notation of characters, do not matter if XML allows them.
        @Test func xmlOfAnyForm_isRead() throws {
            try TestStore.memory.run { (_) throws in
                for mark in ["", "\u{FEFF}"] {
                    for prolog in ["", "<?xml version=\"1.0\"?>\n", "<!DOCTYPE plist PUBLIC \"-//A//B\" \"c\">\n"] {
                        for between in ["", "\n\t ", "<!-- <dict> & > -->", " <!----><!-- - -- -->\r\n"] {
                            for value in ["a&amp;b", "&#97;&#38;b", "&#x61;&#x26;b", "a&amp;&#98;"] {
                                let parts = [
                                    "<plist version=\"1.0\">", "<dict>", "<key>k</key>", "<string>\(value)</string>",
                                    "<key>e</key>", "<array/>", "</dict>", "</plist>",
                                ]
                                let list = mark + prolog + between + parts.joined(separator: between)
                                let read = dictionary(in: Data(list.utf8))
                                #expect(read?["k"] as? String == "a&b", "\(list)")
                                #expect((read?["e"] as? [Any])?.isEmpty == true, "\(list)")
                            }
                        }
                    }
                }
            }
        }

        /// On Apple's platforms, Foundation makes an object of the first named class that it knows.
        @Test func archives_nameTheClassesThatFoundationNames() throws {
            let classes: [(any NSSecureCoding, [String])] = [
                (["a"] as NSArray, ["NSArray", "NSObject"]),
                (NSMutableArray(array: ["a"]), ["NSMutableArray", "NSArray", "NSObject"]),
                (NSSet(array: ["a"]), ["NSSet", "NSObject"]),
                (NSMutableSet(array: ["a"]), ["NSMutableSet", "NSSet", "NSObject"]),
                (["k": 1] as NSDictionary, ["NSDictionary", "NSObject"]),
                (NSMutableDictionary(dictionary: ["k": 1]), ["NSMutableDictionary", "NSDictionary", "NSObject"]),
                (NSOrderedSet(array: ["a"]), ["NSOrderedSet", "NSObject"]),
                (NSMutableOrderedSet(array: ["a"]), ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"]),
                (NSUUID(), ["NSUUID", "NSObject"]), (NSNull(), ["NSNull", "NSObject"]),
            ]
            try TestStore.memory.run { (_) throws in
                for (object, names) in classes {
                    #expect(box.archiveObject(object, forKey: "classes"), "\(names)")
                    let data = try #require(RawItems.data(service: "com.example.formats.classes"))
                    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
                    let found = (list?["$objects"] as? [Any])?.compactMap { ($0 as? [String: Any])?["$classes"] }
                    #expect(found?.first as? [String] == names)
                }
            }
        }

        @Test func integersOfAllWidths_areRead() throws {
            try TestStore.memory.run { (_) throws in
                let names = try Fixture.names("lists").filter { $0.hasPrefix("integers-") }
                #expect(names.count == 20)
                for name in names {
                    let numbers = try #require(try dictionary(name)?["numbers"] as? [NSNumber], "\(name)")
                    #expect(
                        numbers.map(\.stringValue) == [
                            "200", "60000", "4000000000", "-5", "9223372036854775807", "18446744073709551615", "12",
                            "-7",
                        ], "\(name)")
                    put(try Fixture.data("lists", name), "com.example.formats.fx")
                    let read = FXKeychain(service: "com.example.formats.fx", accessGroup: nil).object(forKey: "")
                    #expect((read as? [String: [NSNumber]])?["numbers"] == numbers)
                }
            }
        }

        /// FXKeychain treats only a binary property list as a list.
        @Test func xml_isTextToFXKeychain() throws {
            try TestStore.memory.run { (_) throws in
                put(try Fixture.data("lists", "python.xml"), "com.example.formats.fx")
                let read = FXKeychain(service: "com.example.formats.fx", accessGroup: nil).object(forKey: "")
                #expect((read as? String)?.hasPrefix("<?xml") == true)
            }
        }

        // MARK: Values that come back, or are refused

        @Test(arguments: TestStore.all)
        func valuesThatWereLost_comeBack(_ store: TestStore) throws {
            let error = NSError(
                domain: "d", code: 3, userInfo: ["k": "v", NSUnderlyingErrorKey: CocoaError(.fileNoSuchFile)])
            let values: [any NSSecureCoding & NSObject] = [
                NSNumber(value: UInt64.max), "$null" as NSString, NSNull(), ["$null", NSNull(), UInt64.max] as NSArray,
                NSDecimalNumber(string: "1234567890123456789.25"),
                ["price": Decimal(string: "9.99") ?? 0] as NSDictionary,
                DateComponents(year: 2020, month: 2) as NSDateComponents, NSTimeZone(name: "Europe/Vienna") ?? NSNull(),
                NSLocale(localeIdentifier: "de_AT"), NSIndexSet(index: 3), NSAttributedString(string: "a"),
                error, [CGFloat(1.5)] as NSArray,
            ]
            try store.run { (_) throws in
                for value in values {
                    #expect(box.archiveObject(value, forKey: "key"), "\(type(of: value))")
                    let read = try #require(box.unarchiveObject(forKey: "key") as? NSObject, "\(type(of: value))")
                    #expect(isEqual(value, read), "\(type(of: value))")
                }
                let prices =
                    box.archiveObject(["price": Decimal(1)] as NSDictionary, forKey: "key")
                    ? box.unarchiveObject(forKey: "key") as? [String: Decimal] : nil
                #expect(prices == ["price": 1])
            }
        }

        @Test(arguments: TestStore.all)
        func valuesThatWouldNotComeBack_areRefused(_ store: TestStore) throws {
            let keychain = FXKeychain(service: "com.example.formats.fx", accessGroup: nil)
            let itself = NSMutableArray()
            itself.add(itself)
            defer { itself.removeAllObjects() }
            try store.run { (_) throws in
                for object in [CarelessBadge(), itself, NSCharacterSet.letters as NSCharacterSet]
                    as [any NSSecureCoding]
                {
                    #expect(!box.archiveObject(object, forKey: "key"))
                    #expect(box.lastStatus == errSecParam)
                }
                for object in [["$archiver": "x"], itself, NSSet()] as [Any] {
                    #expect(!keychain.setObject(object, forKey: "key"))
                    #expect(keychain.lastStatus == errSecParam)
                }
                #expect(RawItems.count == 0)
            }
        }

        @Test(arguments: TestStore.all)
        func usesNSCoding_archivesWhatNoListHolds(_ store: TestStore) throws {
            let keychain = FXKeychain(service: "com.example.formats.fx", accessGroup: nil)
            FXKeychain.usesNSCoding = true
            defer { FXKeychain.usesNSCoding = false }
            try store.run { (_) throws in
                #expect(
                    keychain.setObject(["null": NSNull(), "set": NSSet(array: ["a"])] as [String: Any], forKey: "key"))
                let read = keychain.object(forKey: "key") as? [String: Any]
                #expect(read?["null"] is NSNull && read?["set"] as? Set<String> == ["a"])
                #expect(keychain.setObject(Badge(number: 5), forKey: "key"))
                #expect((keychain.object(forKey: "key") as? Badge)?.number == 5)
                #expect(!keychain.setObject(CarelessBadge(), forKey: "key"))
                #expect(keychain.setObject(["a": 1], forKey: "list"))
                FXKeychain.usesNSCoding = false
                #expect(keychain.object(forKey: "key") == nil && keychain.lastStatus == errSecDecode)
                #expect(keychain.object(forKey: "list") as? [String: Int] == ["a": 1])
                FXKeychain.usesNSCoding = true
            }
        }

        // MARK: Version 2 of Lockbox

        @Test(arguments: TestStore.all)
        func classMethodsWithAccessibility_areKept(_ store: TestStore) throws {
            let own = kSecAttrAccessibleAfterFirstUnlock
            let date = Date(timeIntervalSinceReferenceDate: 9)
            try store.run { (_) throws in
                #expect(Lockbox.archiveObject(NSNumber(value: 1), forKey: "1", accessibility: own))
                let stored: [Bool] = Self.storeInEveryForm(Lockbox.self, accessibility: own, date: date)
                #expect(stored == [true, true, true, true, true])
                for key in 1...6 {
                    let service = "\(Lockbox().keyPrefix).\(key)"
                    let accessible = RawItems.attribute(kSecAttrAccessible, service: service)
                    #expect(accessible == own as String, "\(key)")
                }
                try checkForms(Lockbox.self, date: date)
            }
        }

        /// One call of each of the five forms of version 2. Returns whether all succeed.
        private static func storeInEveryForm(
            _ box: any Version2.Type, accessibility: CFString, date: Date
        ) -> [Bool] {
            [
                box.setString("a", forKey: "2", accessibility: accessibility),
                box.setArray(["a"], forKey: "3", accessibility: accessibility),
                box.setSet(["a"], forKey: "4", accessibility: accessibility),
                box.setDictionary(["a": "b"], forKey: "5", accessibility: accessibility),
                box.setDate(date, forKey: "6", accessibility: accessibility),
            ]
        }

        /// The values that those calls have stored. The calls are outside `#expect`, which in Swift 6.3 fails for
        /// results that are implicitly unwrapped.
        private func checkForms(_ box: any Version2.Type, date: Date) throws {
            let string: String? = box.string(forKey: "2")
            let array: [Any]? = box.array(forKey: "3")
            let set: Set<AnyHashable>? = box.setForKey("4")
            let dictionary: [AnyHashable: Any]? = box.dictionary(forKey: "5")
            let stored: Date? = box.date(forKey: "6")
            #expect(string == "a")
            #expect(array as? [String] == ["a"])
            #expect(set == ["a"])
            #expect(dictionary as? [String: String] == ["a": "b"])
            #expect(stored == date)
            let isStored = box.setDictionary(["a-|-b": "c"], forKey: "5")
            #expect(!isStored)
            #expect(Lockbox.lastStatus == errSecParam)
            let nothing: String? = box.string(forKey: nil)
            #expect(nothing == nil)
        }
    }
}
