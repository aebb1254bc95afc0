// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PropertyList {
    /// How to treat `NSNull` in a collection, which no property list can hold.
    package enum Nulls: Sendable {
        case leftOut
        case refused
    }

    /// Makes a list from a value of the program.
    ///
    /// - Throws: ``CodingFailure`` for a type that a property list cannot hold, and for a collection that is nested too
    ///   deeply, has too many values or contains itself.
    package init(_ object: Any, nulls: Nulls) throws(CodingFailure) {
        var builder = Builder(nulls: nulls)
        self = try builder.list(of: object, depth: 0)
    }

    private struct Builder {
        let nulls: Nulls
        /// The number of values. A value counts once for each time that it is used.
        var weight = 0

        mutating func list(of object: Any, depth: Int) throws(CodingFailure) -> PropertyList {
            weight += 1
            guard depth < greatestDepth else { throw .tooDeep }
            guard weight <= greatestWeight else { throw .tooLarge }
            if let leaf = PropertyList(leaf: object) { return leaf }
            switch object {
            case let array as NSArray: return .array(try values(of: array, depth: depth))
            case let dictionary as NSDictionary: return .dictionary(try entries(of: dictionary, depth: depth))
            default: throw CodingFailure(.unsupported, typeName: String(describing: type(of: object)))
            }
        }

        private mutating func values(of array: NSArray, depth: Int) throws(CodingFailure) -> [PropertyList] {
            var values: [PropertyList] = []
            for element in array.rawElements where !isLeftOut(element) {
                values.append(try list(of: element, depth: depth + 1))
            }
            return values
        }

        private mutating func entries(
            of dictionary: NSDictionary, depth: Int
        ) throws(CodingFailure) -> [ExactText: PropertyList] {
            var entries: [ExactText: PropertyList] = [:]
            for (key, element) in dictionary.rawEntries where !isLeftOut(element) {
                guard let key = key as? NSString else {
                    throw CodingFailure(.unsupported, typeName: "\(type(of: key)) as a key")
                }
                let value = try list(of: element, depth: depth + 1)
                guard entries.updateValue(value, forKey: ExactText(key as String)) == nil else {
                    throw CodingFailure(.unsupported, typeName: "\(type(of: key)) as a key twice")
                }
            }
            return entries
        }

        private func isLeftOut(_ element: AnyObject) -> Bool { nulls == .leftOut && element is NSNull }
    }

    /// A value that contains no others: text, a number, a date or data. Nil for anything else, and for a decimal number
    /// whose digits no number of a list can represent.
    package init?(leaf object: Any) {
        switch object {
        case let text as String: self = .text(text)
        case let number as NSDecimalNumber: self.init(number.decimalValue)
        case let number as NSNumber: self.init(number)
        // Apple's platforms convert it to a number by themselves.
        case let number as CGFloat: self = .real(Double(number))
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .data(data)
        // This is a separate case, because a cast of NSData to Data copies byte by byte on Linux.
        case let data as NSData: self = .data(Data(bytes: data.bytes, count: data.length))
        default: return nil
        }
    }

    private init(_ number: NSNumber) {
        if type(of: number) == type(of: NSNumber(value: true)) {
            self = .boolean(number.boolValue)
        } else {
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .real(number.doubleValue)
            case UInt8(ascii: "Q"):
                let value = number.uint64Value
                self = value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value))
            default: self = .integer(number.int64Value)
            }
        }
    }

    /// A decimal number as the real or whole number with the same digits.
    private init?(_ decimal: Decimal) {
        // This compares digits, because Foundation's own conversions change the last ones.
        let digits = decimal.description
        if let real = Double(digits), real.isNaN || Decimal(string: real.description) == decimal {
            self = .real(real)
        } else if let whole = Int64(digits) {
            self = .integer(whole)
        } else if let whole = UInt64(digits) {
            self = .unsigned(whole)
        } else {
            return nil
        }
    }

    /// The list as an object of Foundation's. The object and everything in it are immutable.
    ///
    /// A reference has no meaning outside an archive. It becomes a dictionary with the key `CF$UID`, as in XML.
    ///
    /// - Throws: ``CodingFailure`` for a dictionary whose keys Foundation cannot distinguish.
    package func object() throws(CodingFailure) -> NSObject {
        switch self {
        case .boolean(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .unsigned(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): return data as NSData
        case .text(let text): return text as NSString
        case .array(let values):
            var objects: [NSObject] = []
            objects.reserveCapacity(values.count)
            for value in values { objects.append(try value.object()) }
            return NSArray(array: objects)
        case .dictionary(let entries): return try Self.objects(of: entries).dictionary
        case .reference(let index):
            return NSDictionary(object: NSNumber(value: index), forKey: XMLPropertyListReader.referenceKey as NSString)
        }
    }

    /// The values of a dictionary as objects, in the order of their keys, and all of them as an `NSDictionary`.
    ///
    /// - Throws: As ``object()``.
    package static func objects(
        of entries: [ExactText: PropertyList]
    ) throws(CodingFailure) -> (keys: [ExactText], objects: [NSObject], dictionary: NSDictionary) {
        try ExactText.checkSpelling(entries.keys)
        let sorted = entries.sorted { $0.key < $1.key }
        var objects: [NSObject] = []
        for (_, value) in sorted { objects.append(try value.object()) }
        let keys = sorted.map(\.key)
        let dictionary = NSDictionary(objects: objects, forKeys: keys.map { $0.string as NSString })
        return (keys, objects, try dictionary.having(keys.count))
    }
}

extension NSDictionary {
    /// The dictionary itself, if it has as many entries as were added.
    ///
    /// - Throws: ``CodingFailure`` if Foundation has treated two of the keys as equal.
    package func having(_ count: Int) throws(CodingFailure) -> NSDictionary {
        guard self.count == count else { throw CodingFailure(.unsupported, typeName: "a dictionary with equal keys") }
        return self
    }
}
