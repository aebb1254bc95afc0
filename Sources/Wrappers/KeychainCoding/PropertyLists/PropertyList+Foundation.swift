// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PropertyList {
    /// What becomes of `NSNull` in a collection, which no property list can hold.
    package enum Nulls: Sendable {
        case leftOut
        case refused
    }

    /// Makes a list of a value of a program's.
    ///
    /// - Throws: ``CodingFailure`` for any type that a property list cannot hold, and for collections that are nested
    ///   too deeply or hold themselves.
    package init(_ object: Any, nulls: Nulls) throws(CodingFailure) {
        var builder = Builder(nulls: nulls)
        self = try builder.list(of: object, depth: 0)
    }

    private struct Builder {
        let nulls: Nulls
        /// How many values there are, each counted as often as it is used.
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

    /// A value that holds no others: text, a number, a date or data. Nil for anything else, and for a decimal number whose
    /// digits no number of a list has.
    package init?(leaf object: Any) {
        switch object {
        case let text as String: self = .text(text)
        case let number as NSDecimalNumber: self.init(number.decimalValue)
        case let number as NSNumber: self.init(number)
        // Apple's platforms make a number of it by themselves.
        case let number as CGFloat: self = .real(Double(number))
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .data(data)
        // Asked for by itself: a cast of NSData to Data copies byte by byte on Linux.
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

    /// A decimal number as the real number that is written with the same digits, or as the same whole number.
    private init?(_ decimal: Decimal) {
        // By its digits: Foundation's own conversions are off by the last ones.
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

    /// The list as an object of Foundation's, immutable throughout.
    ///
    /// A reference, which means nothing outside an archive, becomes a dictionary with the key `CF$UID`, as XML spells it.
    ///
    /// - Throws: ``CodingFailure`` for a dictionary whose keys Foundation cannot keep apart, or only in hours.
    package func object() throws(CodingFailure) -> NSObject {
        var objects = ObjectBuilder()
        return try objects.object(of: self)
    }

    /// The values of a dictionary as objects, in the order of their keys, and all of them as a dictionary of Foundation's.
    ///
    /// - Throws: As ``object()``.
    package static func objects(
        of entries: [ExactText: PropertyList]
    ) throws(CodingFailure) -> (keys: [ExactText], objects: [NSObject], dictionary: NSDictionary) {
        var objects = ObjectBuilder()
        return try objects.objects(of: entries)
    }
}

extension NSDictionary {
    /// The dictionary itself, when it has as many entries as were put into it.
    ///
    /// - Throws: ``CodingFailure`` when Foundation has taken two of the keys for one.
    package func having(_ count: Int) throws(CodingFailure) -> NSDictionary {
        guard self.count == count else { throw CodingFailure(.unsupported, typeName: "a dictionary with equal keys") }
        return self
    }
}
