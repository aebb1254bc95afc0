// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
import Foundation

// The members of Foundation's own collections, unchanged. Foundation's methods convert a collection inside a collection
// to Swift's type. That ends the process if a collection contains itself, and makes a new object each time.

extension NSArray {
    package var rawElements: [AnyObject] {
        guard ArchivedClass.isFoundations(type(of: self)) else { return map { $0 as AnyObject } }
        let array = unsafeBitCast(self, to: CFArray.self)
        return (0..<CFArrayGetCount(array)).compactMap { raw(CFArrayGetValueAtIndex(array, $0)) }
    }
}

extension NSSet {
    package var rawElements: [AnyObject] {
        guard ArchivedClass.isFoundations(type(of: self)) else { return map { $0 as AnyObject } }
        let set = unsafeBitCast(self, to: CFSet.self)
        var values = [UnsafeRawPointer?](repeating: nil, count: CFSetGetCount(set))
        CFSetGetValues(set, &values)
        return values.compactMap(raw)
    }
}

extension NSDictionary {
    package var rawEntries: [(key: AnyObject, value: AnyObject)] {
        guard ArchivedClass.isFoundations(type(of: self)) else {
            return map { ($0.key as AnyObject, $0.value as AnyObject) }
        }
        let dictionary = unsafeBitCast(self, to: CFDictionary.self)
        let count = CFDictionaryGetCount(dictionary)
        var keys = [UnsafeRawPointer?](repeating: nil, count: count)
        var values = keys
        CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
        return zip(keys.compactMap(raw), values.compactMap(raw)).map { ($0, $1) }
    }
}

extension NSOrderedSet {
    package var rawElements: [AnyObject] {
        guard ArchivedClass.isFoundations(type(of: self)), let array = storedArray else {
            return (0..<count).map { object(at: $0) as AnyObject }
        }
        return array.rawElements
    }

    /// The array in which Foundation stores the elements. No method returns them unchanged, and the set's own mirror
    /// does not show them. The mirror of a subclass shows the inherited array.
    private var storedArray: NSArray? {
        let own = Unmanaged.passUnretained(self).toOpaque()
        let below = Unmanaged<NSMutableOrderedSet>.fromOpaque(own).takeUnretainedValue()
        let inherited = Mirror(below, children: []).superclassMirror
        return inherited?.children.first { $0.label == "_orderedStorage" }?.value as? NSArray
    }
}

extension NSAttributedString {
    /// The attributes at a place in a text of Foundation's own class, and the range that has them.
    func rawAttributes(at place: Int) -> (attributes: NSDictionary, range: NSRange) {
        var range = CFRange()
        let text = unsafeBitCast(self, to: CFAttributedString.self)
        let attributes = CFAttributedStringGetAttributes(text, place, &range)
        return (
            attributes.map { unsafeBitCast($0, to: NSDictionary.self) } ?? NSDictionary(),
            NSRange(location: range.location, length: range.length)
        )
    }
}

private func raw(_ pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}
