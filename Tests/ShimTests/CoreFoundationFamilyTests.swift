// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessKeychain
import Security
import Testing

/// The address of an object, as client code gets it.
private func pointer(_ object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
}

private func object<Object: AnyObject>(_ pointer: UnsafeRawPointer?, _ type: Object.Type) -> Object? {
    pointer.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}

/// Core Foundation's functions on data, collections, strings, numbers and dates, as client code calls them.
@Suite struct CoreFoundationFamilyTests {
    final class Stranger {}

    // MARK: Data

    @Test func data_withoutCopy_isTheMemoryItself_freedOrNot() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeMutableBufferPointer { buffer in
            let data = CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, buffer.baseAddress, 3, kCFAllocatorNull)
            #expect(CFDataGetBytePtr(data) == UnsafePointer(buffer.baseAddress))
            #expect(CFDataGetLength(data) == 3)
        }
        #expect(bytes == [1, 2, 3])
        for allocator in [kCFAllocatorDefault, kCFAllocatorMalloc, kCFAllocatorSystemDefault] {
            let memory = malloc(4)?.bindMemory(to: UInt8.self, capacity: 4)
            memory?.initialize(repeating: 7, count: 4)
            // If the memory is freed twice, the sanitizer or malloc's own checks end the process.
            #expect(CFDataCreateWithBytesNoCopy(nil, memory, 4, allocator) as Data? == Data([7, 7, 7, 7]))
        }
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 0, nil)?.length == 0)
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 1, nil) == nil)
        #expect(CFDataCreateWithBytesNoCopy(nil, bytes, -1, kCFAllocatorNull) == nil)
    }

    @Test func data_thatCanChange_changesInsideItsRange() throws {
        let data = try #require(CFDataCreateMutable(nil, 0))
        CFDataAppendBytes(data, [1, 2, 3, 4], 4)
        CFDataReplaceBytes(data, CFRangeMake(1, 2), [9], 1)
        #expect(data as Data == Data([1, 9, 4]))
        CFDataDeleteBytes(data, CFRange(location: 0, length: 1))
        CFDataIncreaseLength(data, 1)
        #expect(data as Data == Data([9, 4, 0]))
        CFDataGetMutableBytePtr(data)?[0] = 8
        CFDataSetLength(data, 2)
        #expect(data as Data == Data([8, 4]))
        let copy = CFDataCreateMutableCopy(nil, 0, data)
        CFDataAppendBytes(copy, [1], 1)
        #expect(CFDataGetLength(data) == 2)
        #expect(CFDataCreateCopy(nil, copy) as Data == Data([8, 4, 1]))
    }

    @Test func data_outsideItsRange_staysAsItIs() throws {
        let data = try #require(CFDataCreateMutableCopy(nil, 0, Data([1, 2, 3]) as CFData))
        var buffer: [UInt8] = [7, 7, 7, 7]
        let ranges = [(0, 4), (4, 0), (-1, 1), (1, -1), (1, Int.max), (Int.max, Int.max), (Int.min, 1)]
        for (location, length) in ranges {
            CFDataGetBytes(data, CFRangeMake(location, length), &buffer)
            CFDataReplaceBytes(data, CFRangeMake(location, length), [5], 1)
            CFDataDeleteBytes(data, CFRangeMake(location, length))
        }
        CFDataAppendBytes(data, nil, 3)
        CFDataAppendBytes(data, [1], -1)
        // With these lengths, Foundation would end the process.
        for length in [CFIndex.max, .max / 2, .max / 4, 1 << 50] {
            CFDataSetLength(data, length)
            CFDataIncreaseLength(data, length)
        }
        CFDataSetLength(data, -1)
        CFDataIncreaseLength(data, -1)
        CFDataIncreaseLength(data, .max)
        CFDataReplaceBytes(data, CFRangeMake(0, 1), nil, 1)
        #expect(data as Data == Data([1, 2, 3]))
        #expect(buffer == [7, 7, 7, 7])
        CFDataGetBytes(data, CFRangeMake(1, 2), &buffer)
        #expect(buffer == [2, 3, 7, 7])
        #expect(CFDataCreateMutable(nil, -1) == nil)
    }

    // MARK: Arrays

    @Test func array_givesTheObjectsThatWerePutIn() throws {
        let stranger = Stranger()
        let objects: [AnyObject] = ["text" as NSString, NSNumber(value: 5), stranger, NSNull()]
        var values = objects.map { Optional(pointer($0)) }
        var callbacks = kCFTypeArrayCallBacks
        let made = try #require(CFArrayCreate(nil, &values, values.count, &callbacks))
        let grown = try #require(CFArrayCreateMutable(nil, 0, nil))
        for value in values { CFArrayAppendValue(grown, value) }
        for array in [made, grown, CFArrayCreateCopy(nil, grown), CFArrayCreateMutableCopy(nil, 0, made)] {
            let array = try #require(array)
            #expect(CFArrayGetCount(array) == 4)
            for (index, expected) in objects.enumerated() {
                #expect(object(CFArrayGetValueAtIndex(array, index), AnyObject.self) === expected)
            }
            #expect(object(CFArrayGetValueAtIndex(array, 2), Stranger.self) === stranger)
            var all = [UnsafeRawPointer?](repeating: nil, count: 2)
            CFArrayGetValues(array, CFRangeMake(1, 2), &all)
            #expect(object(all[1], Stranger.self) === stranger)
            for index in [-1, 4, Int.max, Int.min] { #expect(CFArrayGetValueAtIndex(array, index) == nil) }
        }
        #expect(CFArrayCreate(nil, &values, -1, nil) == nil)
        values[1] = nil
        #expect(CFArrayCreate(nil, &values, 4, nil) == nil)
    }

    @Test func array_ofSwiftValues_givesTheirObjects() {
        let array = ["a", "b"] as CFArray
        #expect(object(CFArrayGetValueAtIndex(array, 1), NSString.self) == "b")
        let dictionaries = [["k": "v"], ["k": "w"]] as CFArray
        let second = object(CFArrayGetValueAtIndex(dictionaries, 1), CFDictionary.self)
        #expect(second?["k"] as? String == "w")
    }

    @Test func array_findsEqualObjects_andTellsTrueFromOne() {
        let array = ["a", 1, true, "a"] as [Any] as CFArray
        let all = CFRangeMake(0, 4)
        #expect(CFArrayContainsValue(array, all, pointer(kCFBooleanTrue)))
        #expect(CFArrayGetFirstIndexOfValue(array, all, pointer(kCFBooleanTrue)) == 2)
        let key = "a" as NSString
        #expect(CFArrayGetFirstIndexOfValue(array, all, pointer(key)) == 0)
        #expect(CFArrayGetLastIndexOfValue(array, all, pointer(key)) == 3)
        #expect(CFArrayGetCountOfValue(array, all, pointer(key)) == 2)
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(1, 2), pointer(key)) == -1)
        #expect(!CFArrayContainsValue(array, CFRangeMake(0, 5), pointer(key)))
    }

    @Test func array_changes_andIgnoresPositionsOutside() throws {
        let array = try #require(CFArrayCreateMutable(nil, 0, nil))
        let (one, two, three) = (NSNumber(value: 1), NSNumber(value: 2), NSNumber(value: 3))
        CFArrayInsertValueAtIndex(array, 1, pointer(one))
        CFArraySetValueAtIndex(array, 1, pointer(one))
        CFArrayRemoveValueAtIndex(array, 0)
        #expect(CFArrayGetCount(array) == 0)
        CFArraySetValueAtIndex(array, 0, pointer(one))
        CFArrayInsertValueAtIndex(array, 0, pointer(two))
        CFArraySetValueAtIndex(array, 1, pointer(three))
        CFArrayAppendArray(array, [4, 5] as CFArray, CFRangeMake(1, 1))
        CFArrayAppendArray(array, [4, 5] as CFArray, CFRangeMake(1, 2))
        #expect(array as? [Int] == [2, 3, 5])
        CFArrayRemoveValueAtIndex(array, 1)
        #expect(array as? [Int] == [2, 5])
        CFArrayRemoveAllValues(array)
        #expect(CFArrayGetCount(array) == 0)
    }

    // MARK: Dictionaries

    @Test(.processKeychain) func dictionary_asQuery_isBuiltAndRead() throws {
        let query = try #require(CFDictionaryCreateMutable(kCFAllocatorDefault, 0, nil, nil))
        CFDictionarySetValue(query, pointer(kSecClass), pointer(kSecClassGenericPassword))
        CFDictionaryAddValue(query, unsafeBitCast(kSecReturnData, to: UnsafeRawPointer.self), pointer(kCFBooleanTrue))
        CFDictionaryAddValue(query, pointer(kSecClass), pointer(kSecClassKey))
        CFDictionaryReplaceValue(query, pointer(kSecAttrLabel), pointer(kSecClassKey))
        #expect(CFDictionaryGetCount(query) == 2)
        #expect(query[kSecClass] as? String == kSecClassGenericPassword as String)
        #expect(query[kSecReturnData] as? Bool == true)
        CFDictionaryReplaceValue(query, pointer(kSecClass), pointer(kSecClassKey))
        #expect(CFEqual(object(CFDictionaryGetValue(query, pointer(kSecClass)), AnyObject.self), kSecClassKey))
        var status = SecItemCopyMatching(query, nil)
        #expect(status == errSecItemNotFound)
        CFDictionaryRemoveValue(query, pointer(kSecClass))
        CFDictionaryRemoveValue(query, pointer(kSecClass))
        status = SecItemCopyMatching(query, nil)
        #expect(status == errSecParam)
        CFDictionaryRemoveAllValues(query)
        #expect(CFDictionaryGetCount(query) == 0)
    }

    @Test func dictionary_givesTheObjectsThatWerePutIn() throws {
        let stranger = Stranger()
        let names: [NSString] = ["a", "b", "c"]
        let objects: [AnyObject] = [NSNumber(value: true), "text" as NSString, stranger]
        var keys = names.map { Optional(pointer($0)) }
        var values = objects.map { Optional(pointer($0)) }
        let made = try #require(CFDictionaryCreate(nil, &keys, &values, 3, nil, nil))
        for dictionary in [made, CFDictionaryCreateCopy(nil, made), CFDictionaryCreateMutableCopy(nil, 0, made)] {
            for (name, expected) in zip(names, objects) {
                #expect(object(CFDictionaryGetValue(dictionary, pointer(name)), AnyObject.self) === expected)
                var value: UnsafeRawPointer?
                #expect(CFDictionaryGetValueIfPresent(dictionary, pointer(name), &value))
                #expect(object(value, AnyObject.self) === expected)
                #expect(CFDictionaryContainsValue(dictionary, pointer(expected)))
            }
            var value: UnsafeRawPointer? = keys[0]
            let missing = "d" as NSString
            #expect(!CFDictionaryGetValueIfPresent(dictionary, pointer(missing), &value))
            #expect(value == keys[0])
            #expect(CFDictionaryGetValue(dictionary, pointer(missing)) == nil)
            #expect(!CFDictionaryContainsKey(dictionary, pointer(missing)))
            #expect(CFDictionaryGetCountOfKey(dictionary, pointer(names[0])) == 1)
        }
        keys[2] = nil
        #expect(CFDictionaryCreate(nil, &keys, &values, 3, nil, nil) == nil)
        #expect(CFDictionaryCreate(nil, nil, nil, 0, nil, nil)?.count == 0)
        #expect(CFDictionaryCreate(nil, nil, nil, -1, nil, nil) == nil)
    }

    @Test func dictionary_ofSwiftValues_isReadByAddress() throws {
        let dictionary = ["name": "x", "size": 5] as [String: Any] as CFDictionary
        let key = "name" as NSString
        let name = object(CFDictionaryGetValue(dictionary, pointer(key)), NSString.self)
        #expect(name == "x")
        var keys = [UnsafeRawPointer?](repeating: nil, count: 2)
        var values = keys
        CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
        let index = try #require(keys.firstIndex { object($0, NSString.self) == "size" })
        #expect(object(values[index], NSNumber.self) == 5)
    }

    @Test func dictionary_withAKeyThatIsNoObjectOfFoundations_doesNotCrash() throws {
        let dictionary = try #require(CFDictionaryCreateMutable(nil, 0, nil, nil))
        let stranger = Stranger()
        CFDictionarySetValue(dictionary, pointer(stranger), pointer(kSecClass))
        CFDictionaryRemoveValue(dictionary, pointer(stranger))
        CFDictionarySetValue(dictionary, pointer(kSecClass), nil)
        #expect(CFDictionaryGetValue(dictionary, pointer(stranger)) == nil)
        #expect(CFDictionaryGetValue(dictionary, nil) == nil)
        #expect(CFDictionaryGetCount(dictionary) == 0)
    }

    @Test func nothing_isAnEmptyCollection() {
        #expect(CFArrayGetCount(nil) == 0)
        #expect(CFArrayGetValueAtIndex(nil, 0) == nil)
        #expect(CFDictionaryGetValue(nil, pointer(kSecClass)) == nil)
        #expect(CFArrayCreateCopy(nil, nil) == nil)
        #expect(CFSetGetCount(nil) == 0)
        #expect(CFDataCreateCopy(nil, nil) == nil)
        CFArrayAppendValue(nil, pointer(kSecClass))
        CFDictionarySetValue(nil, pointer(kSecClass), pointer(kSecClass))
    }

    // MARK: Strings

    @Test(arguments: [
        CFStringBuiltInEncodings.UTF8, .UTF16, .UTF16LE, .UTF16BE, .UTF32, .UTF32LE, .UTF32BE,
    ])
    func string_ofAnyCharacters_comesBackFromItsEncoding(encoding: CFStringBuiltInEncodings) {
        for text in ["", "abc", "Zürich", "日本", "👩‍👩‍👧", "a\0b"] {
            let data = CFStringCreateExternalRepresentation(nil, text as CFString, encoding.rawValue, 0)
            let back = CFStringCreateFromExternalRepresentation(nil, data, encoding.rawValue)
            #expect(back as String? == text)
            let size = CFStringGetMaximumSizeForEncoding(CFStringGetLength(text as CFString), encoding.rawValue)
            if !text.isEmpty { #expect(CFDataGetLength(data) <= size) }
        }
    }

    /// Each character that the encoding lacks becomes the byte that the caller names. Without such a byte, the
    /// conversion fails.
    @Test(arguments: [UInt8(ascii: "?"), UInt8(ascii: "x"), 1])
    func string_thatItsEncodingDoesNotHave_getsTheByte(lossByte: UInt8) throws {
        for encoding in [CFStringBuiltInEncodings.ASCII, .isoLatin1] {
            for text in ["abc", "a€b", "日本", "e\u{301}→", "🔑"] {
                let units = (text as String).utf16.map { $0 < 0x80 ? UInt8($0) : lossByte }
                let data = CFStringCreateExternalRepresentation(nil, text as CFString, encoding.rawValue, lossByte)
                // The second encoding combines a letter and its mark into one byte.
                if encoding == .ASCII || !text.contains("\u{301}") { #expect(data.map { Array($0 as Data) } == units) }
                let exact = CFStringCreateExternalRepresentation(nil, text as CFString, encoding.rawValue, 0)
                #expect((exact == nil) == (text != "abc"))
            }
        }
    }

    @Test func string_asCString_fitsOrIsNotWritten() {
        let text = "Grüße" as CFString
        let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
        var buffer = [CChar](repeating: 1, count: 16)
        for size in -1...7 { #expect(!CFStringGetCString(text, &buffer, size, utf8)) }
        #expect(buffer.allSatisfy { $0 == 1 })
        #expect(CFStringGetCString(text, &buffer, 8, utf8))
        #expect(CFStringCreateWithCString(nil, buffer, utf8) as String? == "Grüße")
        #expect(!CFStringGetCString(text, &buffer, 16, CFStringBuiltInEncodings.ASCII.rawValue))
        #expect(CFStringGetCString("abc" as CFString, &buffer, 16, CFStringBuiltInEncodings.ASCII.rawValue))
        #expect(!CFStringGetCString(text, &buffer, 16, kCFStringEncodingInvalidId))
        #expect(!CFStringGetCString(nil, &buffer, 16, utf8))
        #expect(CFStringGetCStringPtr(text, utf8) == nil)
        #expect(CFStringCreateWithCString(nil, nil, utf8) == nil)
        #expect(CFStringCreateWithBytes(nil, [0xff, 0xfe], 2, utf8, false) == nil)
        #expect(CFStringCreateWithBytes(nil, [0x61], 1, utf8, false) as String? == "a")
        #expect(CFStringCreateWithBytes(nil, nil, 1, utf8, false) == nil)
        #expect(CFStringCreateWithBytes(nil, [0x61], -1, utf8, false) == nil)
    }

    @Test func strings_areComparedAsAsked() {
        #expect(CFStringCompare("a" as CFString, "b" as CFString, []) == .compareLessThan)
        #expect(CFStringCompare("b" as CFString, "a" as CFString, []) == .compareGreaterThan)
        #expect(CFStringCompare("a" as CFString, "a" as CFString, []) == .compareEqualTo)
        #expect(CFStringCompare("A" as CFString, "a" as CFString, []) != .compareEqualTo)
        #expect(CFStringCompare("A" as CFString, "a" as CFString, .compareCaseInsensitive) == .compareEqualTo)
        #expect(CFStringCompare("a10" as CFString, "a9" as CFString, .compareNumerically) == .compareGreaterThan)
        let (composed, decomposed) = ("\u{e9}" as CFString, "e\u{301}" as CFString)
        #expect(CFStringCompare(composed, decomposed, []) != .compareEqualTo)
        #expect(CFStringCompare(composed, decomposed, .compareNonliteral) == .compareEqualTo)
        #expect(CFStringCompare(nil, nil, []) == .compareEqualTo)
        #expect(CFStringCompare(nil, "" as CFString, []) == .compareLessThan)
        #expect(CFStringHasPrefix("abc" as CFString, "ab" as CFString))
        #expect(!CFStringHasSuffix("abc" as CFString, "ab" as CFString))
    }

    @Test func string_partsAndChanges() throws {
        let string = try #require(CFStringCreateMutable(nil, 0))
        CFStringAppend(string, "12" as CFString)
        CFStringAppend(string, "ab" as CFString)
        #expect(CFStringGetIntValue(string) == 12)
        #expect(CFStringCreateWithSubstring(nil, string, CFRangeMake(1, 2)) as String? == "2a")
        #expect(CFStringCreateWithSubstring(nil, string, CFRangeMake(1, 4)) == nil)
        #expect(CFStringGetCharacterAtIndex(string, 3) == 98)
        #expect(CFStringGetCharacterAtIndex(string, 4) == 0)
        let copy = CFStringCreateMutableCopy(nil, 0, string)
        CFStringAppend(copy, "c" as CFString)
        #expect(CFStringGetLength(string) == 4)
        #expect(CFStringCreateCopy(nil, copy) as String? == "12abc")
    }

    // MARK: Numbers, dates, identifiers

    @Test func number_ofEveryType_isReadAsItWasMade() {
        func check<Value: Equatable & BitwiseCopyable>(_ value: Value, _ empty: Value, _ types: [CFNumberType]) {
            for type in types {
                var (source, result) = (value, empty)
                let number = CFNumberCreate(kCFAllocatorDefault, type, &source)
                #expect(CFNumberGetValue(number, type, &result))
                #expect(result == value, "\(type)")
            }
        }
        check(Int8.min, 0, [.sInt8Type, .charType])
        check(Int16.min, 0, [.sInt16Type, .shortType])
        check(Int32.min, 0, [.sInt32Type, .intType])
        check(Int64.min, 0, [.sInt64Type, .longLongType, .longType, .cfIndexType, .nsIntegerType])
        check(Float(1.5), 0, [.float32Type, .floatType])
        check(0.1, 0, [.float64Type, .doubleType, .cgFloatType])
        #expect(CFNumberCreate(nil, .intType, nil) == nil)
        #expect(CFNumberType.maxType == .cgFloatType)
    }

    @Test func number_asATypeThatIsTooSmall_saysSo() {
        var small: Int8 = 0
        for (number, expected, fits) in [
            (300 as CFNumber, Int8.max, false), (-300 as CFNumber, .min, false), (12 as CFNumber, 12, true),
            (1.5 as CFNumber, 1, false), (1e300 as CFNumber, .max, false),
            (Double.nan as CFNumber, 0, false), (-Double.infinity as CFNumber, .min, false),
            (UInt64.max as CFNumber, .max, false),
        ] {
            #expect(CFNumberGetValue(number, .sInt8Type, &small) == fits)
            #expect(small == expected)
        }
        var large: Int64 = 0
        #expect(!CFNumberGetValue(UInt64.max as CFNumber, .sInt64Type, &large))
        #expect(!CFNumberGetValue(nil, .sInt64Type, &large))
        var fraction = 0.0
        #expect(CFNumberGetValue(5 as CFNumber, .doubleType, &fraction))
        #expect(fraction == 5)
        #expect(!CFNumberGetValue(Int64.max as CFNumber, .doubleType, &fraction))
    }

    @Test func number_hasATypeThatHoldsIt() {
        #expect(CFNumberIsFloatType(0.5 as CFNumber))
        #expect(!CFNumberIsFloatType(5 as CFNumber))
        #expect(CFNumberGetType(NSNumber(value: Int32(5))) == .sInt32Type)
        #expect(CFNumberGetByteSize(NSNumber(value: Int64.max)) == 8)
        #expect(CFNumberCompare(1 as CFNumber, 2 as CFNumber, nil) == .compareLessThan)
        #expect(CFNumberCompare(2 as CFNumber, 2.0 as CFNumber, nil) == .compareEqualTo)
        #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
    }

    @Test func date_isATimeSince2001() {
        let date = CFDateCreate(nil, 1000)
        let later = CFDateCreate(nil, 1002)
        #expect(CFDateGetAbsoluteTime(date) == 1000)
        #expect(CFDateGetTimeIntervalSinceDate(later, date) == 2)
        #expect(CFDateCompare(date, later, nil) == .compareLessThan)
        #expect(date as Date? == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(CFAbsoluteTimeGetCurrent() > 800_000_000)
    }

    @Test func identifier_isWrittenAndRead() {
        let uuid = CFUUIDCreate(nil)
        #expect(CFEqual(CFUUIDCreateFromString(nil, CFUUIDCreateString(nil, uuid)), uuid))
        #expect(CFUUIDCreateFromString(nil, "x" as CFString) == nil)
    }

    @Test func set_containsWhatIsEqual() {
        let set = NSSet(array: ["a", "b"])
        let name = "a" as NSString
        #expect(CFSetGetCount(set) == 2)
        #expect(CFSetContainsValue(set, pointer(name)))
        #expect(!CFSetContainsValue(set, pointer(kSecClass)))
    }

    // MARK: Memory

    @Test func memory_isFilledAndCompared() {
        var memory = [UInt8](repeating: 7, count: 4)
        let filled = memset_s(&memory, 4, 0x109, 2)
        #expect(filled == 0 && memory == [9, 9, 7, 7])
        let tooMuch = memset_s(&memory, 3, 0, 4)
        #expect(tooMuch == EOVERFLOW && memory == [0, 0, 0, 7])
        let nowhere = memset_s(nil, 1, 0, 1)
        let tooLarge = memset_s(&memory, -1, 0, 1)
        #expect(nowhere == EINVAL && tooLarge == E2BIG && memory == [0, 0, 0, 7])
        for (other, count, isEqual) in [([0, 0, 0, 7], 4, true), ([0, 0, 0, 8], 4, false), ([0, 0, 0, 8], 3, true)] {
            let result = timingsafe_bcmp(memory, other.map { UInt8($0) }, count)
            #expect((result == 0) == isEqual)
        }
        let nothing = timingsafe_bcmp(nil, nil, 0)
        #expect(nothing == 0)
    }
}
