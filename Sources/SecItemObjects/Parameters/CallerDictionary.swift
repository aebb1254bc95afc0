// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
import Foundation

/// A caller's dictionary as a list of keys and values. All dictionaries of callers are read here.
///
/// CoreFoundation's functions read it, because a C client's dictionary may have no callbacks and may hold NULL, and
/// because Swift's bridging would copy every `Data` byte by byte.
package struct CallerDictionary {
    package enum Key {
        case string(CallerText)
        case number
        case other
    }

    package let entries: [(key: Key, value: CallerValue)]

    package init(entries: [(key: Key, value: CallerValue)]) {
        self.entries = entries
    }

    /// The same entries, and one more.
    package func adding(_ key: Key, _ value: CallerValue) -> CallerDictionary {
        CallerDictionary(entries: entries + [(key, value)])
    }

    /// - Throws: `errSecParam` for NULL, and if a value is NULL.
    package init(_ dictionary: NSDictionary?) throws(KeychainError) {
        guard let dictionary else { throw .param("the dictionary is NULL") }
        let table = unsafeBitCast(dictionary, to: CoreFoundation.CFDictionary.self)
        let count = CFDictionaryGetCount(table)
        entries = withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 2 * count) { buffer in
            buffer.initialize(repeating: nil)
            guard let keys = buffer.baseAddress, count > 0 else { return [] }
            CFDictionaryGetKeysAndValues(table, keys, keys + count)
            return (0..<count).map { (Key(buffer[$0]), CallerValue(buffer[count + $0])) }
        }
        for case (_, .missing) in entries { throw .param("a value is NULL") }
    }

    /// The value under a string key, if there is one.
    package subscript(key: CallerText) -> CallerValue? {
        for index in entries.indices {
            if case .string(let own) = entries[index].key, own == key { return entries[index].value }
        }
        return nil
    }
}

extension CallerDictionary.Key {
    fileprivate init(_ pointer: UnsafeRawPointer?) {
        switch pointer.map({ Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }) {
        case let string as NSString: self = .string(CallerText(string as String))
        case is NSNumber: self = .number
        // A Swift dictionary may have a parameter itself as a key. Foundation puts it into a box, which an array opens.
        case let object?:
            let parameter = NSArray(object: object).firstObject as? SecKeyKeyExchangeParameter
            self = parameter.map { .string(CallerText($0.rawValue as String)) } ?? .other
        case nil: self = .other
        }
    }
}

extension CallerValue {
    fileprivate init(_ pointer: UnsafeRawPointer?) {
        guard let pointer else {
            self = .missing
            return
        }
        self.init(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
    }
}

extension NSArray {
    /// The elements of a caller's array. Nil for NULL, which a C client's array without callbacks may hold.
    ///
    /// All arrays of callers are read here. Foundation ends the process at such an element.
    package var callerElements: [AnyObject?] {
        // Other classes than that of C's arrays hold objects only, and may make them when they are asked.
        let arrayOfC = unsafeBitCast(CoreFoundation.CFArrayCreate(nil, nil, 0, nil), to: NSArray.self)
        guard type(of: self) == type(of: arrayOfC) else { return map { $0 as AnyObject } }
        let array = unsafeBitCast(self, to: CoreFoundation.CFArray.self)
        return (0..<CoreFoundation.CFArrayGetCount(array)).map { index in
            SecItemObjects.object(at: CoreFoundation.CFArrayGetValueAtIndex(array, index)).map(withoutBox)
        }
    }
}
