// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes objects of Foundation's from the values of property lists.
struct ObjectBuilder {
    /// The work of Foundation for the dictionaries made so far.
    private var comparisons = Comparisons()
    /// Objects for data, by the address of their bytes. Foundation copies the bytes, and a list may use them a thousand
    /// times.
    private var dataAt: [UnsafeRawPointer: (value: Data, object: NSData)] = [:]

    /// - Throws: ``CodingFailure`` for a dictionary whose keys Foundation cannot distinguish, or not within a
    ///   reasonable time.
    mutating func object(of list: PropertyList) throws(CodingFailure) -> NSObject {
        switch list {
        case .boolean(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .unsigned(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return self.data(data)
        case .text(let text): return text as NSString
        case .array(let values):
            var objects: [NSObject] = []
            objects.reserveCapacity(values.count)
            for value in values { objects.append(try object(of: value)) }
            return NSArray(array: objects)
        case .dictionary(let entries): return try objects(of: entries).dictionary
        case .reference(let index):
            return NSDictionary(object: NSNumber(value: index), forKey: XMLPropertyListReader.referenceKey as NSString)
        }
    }

    /// The values of a dictionary in the order of their keys, and all of them as an `NSDictionary`.
    mutating func objects(
        of entries: [ExactText: PropertyList]
    ) throws(CodingFailure) -> (keys: [ExactText], objects: [NSObject], dictionary: NSDictionary) {
        try comparisons.count(keys: entries.keys)
        try ExactText.checkSpelling(entries.keys)
        let sorted = entries.sorted { $0.key < $1.key }
        var objects: [NSObject] = []
        for (_, value) in sorted { objects.append(try object(of: value)) }
        let keys = sorted.map(\.key)
        let dictionary = NSDictionary(objects: objects, forKeys: keys.map { $0.string as NSString })
        return (keys, objects, try dictionary.having(keys.count))
    }

    private mutating func data(_ data: Data) -> NSData {
        // Short data has no storage of its own. Its bytes are part of the value.
        guard data.count > 100, let place = data.withUnsafeBytes(\.baseAddress) else { return data as NSData }
        if let known = dataAt[place], known.value.count == data.count { return known.object }
        let object = data as NSData
        // Keeping the value ensures that no other bytes get its address.
        dataAt[place] = (data, object)
        return object
    }
}
