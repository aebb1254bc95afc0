// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FoundationFields {
    /// Makes an object of Foundation's from its fields in an archive.
    ///
    /// - Returns: Nil if the class is not in the tables of this module.
    static func object(
        _ name: ExactText, _ fields: [ExactText: PropertyList], in reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        if let object = try collection(name, fields, reader) { return object }
        if let object = try simple(name, fields, reader) { return object }
        if let object = try named(name, fields, reader) { return object }
        if let object = try calendrical(name, fields, reader) { return object }
        return try indexes(name, fields, reader)
    }

    // MARK: Collections

    private static func collection(
        _ name: ExactText, _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        switch name {
        case "NSArray": return NSArray(array: try reader.objects(fields["NS.objects"]))
        case "NSMutableArray": return NSMutableArray(array: try reader.objects(fields["NS.objects"]))
        case "NSSet": return try set(try reader.members(fields["NS.objects"])) { NSSet(array: $0) }
        case "NSMutableSet": return try set(try reader.members(fields["NS.objects"])) { NSMutableSet(array: $0) }
        case "NSOrderedSet": return try orderedSet(try numbered(fields, reader)) { NSOrderedSet(array: $0) }
        case "NSMutableOrderedSet":
            return try orderedSet(try numbered(fields, reader)) { NSMutableOrderedSet(array: $0) }
        case "NSDictionary", "NSMutableDictionary":
            let keys = try reader.members(fields["NS.keys"])
            let values = try reader.objects(fields["NS.objects"])
            guard keys.count == values.count else { throw .damaged }
            let dictionary =
                name == "NSDictionary"
                ? NSDictionary(objects: values, forKeys: keys) : NSMutableDictionary(objects: values, forKeys: keys)
            return try dictionary.having(keys.count)
        default: return nil
        }
    }

    /// Makes a set of all members. Foundation may treat some as equal, such as texts with the same letters in different
    /// spellings; then reading fails.
    private static func set(
        _ members: [NSObject], _ make: ([NSObject]) -> NSSet
    ) throws(CodingFailure) -> NSSet {
        let set = make(members)
        guard set.count == members.count else { throw .damaged }
        return set
    }

    private static func orderedSet(
        _ members: [NSObject], _ make: ([NSObject]) -> NSOrderedSet
    ) throws(CodingFailure) -> NSOrderedSet {
        let set = make(members)
        guard set.count == members.count else { throw .damaged }
        return set
    }

    private static func numbered(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> [NSObject] {
        if fields["NS.objects"] != nil { return try reader.members(fields["NS.objects"]) }
        var references: [PropertyList] = []
        while let reference = fields["NS.object.\(references.count)"] { references.append(reference) }
        return try reader.members(.array(references))
    }

    // MARK: Simple values

    private static func simple(
        _ name: ExactText, _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        switch name {
        case "NSNull": return NSNull()
        case "NSDate":
            guard let seconds = fields["NS.time"]?.real else { throw .damaged }
            return NSDate(timeIntervalSinceReferenceDate: seconds)
        case "NSString": return try reader.text(fields["NS.string"] ?? fields["NS.bytes"]) as NSString
        case "NSMutableString":
            return NSMutableString(string: try reader.text(fields["NS.string"] ?? fields["NS.bytes"]))
        case "NSData":
            return try reader.data(fields["NS.data"] ?? fields["NS.bytes"]) as NSData
        case "NSMutableData":
            return NSMutableData(data: try reader.data(fields["NS.data"] ?? fields["NS.bytes"]))
        case "NSNumber":
            // Other numbers have no fields.
            return try DecimalFields.number(fields)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try DecimalFields.number(fields)
        default: return nil
        }
    }

    // MARK: Values with names

    private static func named(
        _ name: ExactText, _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        switch name {
        case "NSURL": return try url(fields, reader)
        case "NSUUID":
            let bytes = try reader.data(fields["NS.uuidbytes"])
            guard bytes.count == 16 else { throw .damaged }
            return Array(bytes).withUnsafeBufferPointer { $0.baseAddress.map { NSUUID(uuidBytes: $0) } }
        case "NSError":
            guard let code = fields["NSCode"]?.whole else { throw .damaged }
            let information = try reader.optional(fields["NSUserInfo"]) as NSDictionary?
            let entries =
                try information.map { (dictionary) throws(CodingFailure) in try reader.texts(dictionary) } ?? [:]
            return NSError(domain: try reader.text(fields["NSDomain"]), code: Int(code), userInfo: entries)
        case "NSAttributedString", "NSMutableAttributedString":
            let text = try attributed(fields, reader)
            return name == "NSAttributedString" ? NSAttributedString(attributedString: text) : text
        case "NSRegularExpression":
            let options = fields["NSOptions"]?.whole.flatMap(UInt.init(exactly:)) ?? 0
            let pattern = try reader.text(fields["NSPattern"])
            guard let expression = try? NSRegularExpression(pattern: pattern, options: .init(rawValue: options)) else {
                throw .damaged
            }
            return expression
        default: return nil
        }
    }

    private static func url(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSURL {
        let base = (try reader.optional(fields["NS.base"]) as NSURL?).map { $0 as URL }
        // NSURL accepts texts that URL does not. Bridging such an object ends the process.
        guard let url = NSURL(string: try reader.text(fields["NS.relative"]), relativeTo: base),
            URL(string: url.relativeString, relativeTo: base) != nil
        else { throw .damaged }
        return url
    }

    private static func attributed(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSMutableAttributedString {
        let text = NSMutableAttributedString(string: try reader.text(fields["NSString"]))
        guard let attributes = fields["NSAttributes"] else { return text }
        let found = try reader.present(attributes)
        guard fields["NSAttributeInfo"] != nil else {
            text.setAttributes(try keyed(found, reader), range: NSRange(location: 0, length: text.length))
            return text
        }
        let runs = (found as? NSArray)?.rawElements ?? []
        let numbers = try reader.packedNumbers(fields["NSAttributeInfo"])
        guard numbers.count.isMultiple(of: 2) else { throw .damaged }
        var position = 0
        for pair in stride(from: 0, to: numbers.count, by: 2) {
            let (length, run) = (numbers[pair], numbers[pair + 1])
            guard runs.indices.contains(run), length <= text.length - position else { throw .damaged }
            text.setAttributes(try keyed(runs[run], reader), range: NSRange(location: position, length: length))
            position += length
        }
        return text
    }

    private static func keyed(
        _ object: AnyObject, _ reader: ArchiveReader
    ) throws(CodingFailure) -> [NSAttributedString.Key: Any] {
        guard let dictionary = object as? NSDictionary else { throw .damaged }
        let entries = try reader.texts(dictionary)
        return Dictionary(uniqueKeysWithValues: entries.map { (NSAttributedString.Key(rawValue: $0.key), $0.value) })
    }

    // MARK: Dates and places

    private static func calendrical(
        _ name: ExactText, _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        switch name {
        case "NSDateComponents": return try dateComponents(fields, reader)
        case "NSTimeZone":
            guard let zone = NSTimeZone(name: try reader.text(fields["NS.name"])) else { throw .damaged }
            return zone
        case "NSLocale": return NSLocale(localeIdentifier: try reader.text(fields["NS.identifier"]))
        case "NSCalendar": return try calendar(fields, reader)
        case "NSDateInterval":
            guard let start = try reader.optional(fields["NS.startDate"]) as NSDate?,
                let end = try reader.optional(fields["NS.endDate"]) as NSDate?,
                // Foundation ends the process for an interval that ends before it begins.
                start.timeIntervalSinceReferenceDate <= end.timeIntervalSinceReferenceDate
            else { throw .damaged }
            return NSDateInterval(start: start as Date, end: end as Date)
        default: return nil
        }
    }

    private static func dateComponents(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSDateComponents {
        let components = NSDateComponents()
        for (name, path) in DateComponentFields.all {
            guard let field = fields[name] else { continue }
            guard let number = field.whole else { throw .damaged }
            if number != NSDateComponentUndefined { components[keyPath: path] = Int(number) }
        }
        let calendar = try reader.optional(fields["NS.calendar"]) as NSCalendar?
        let zone = try reader.optional(fields["NS.timezone"]) as NSTimeZone?
        var value = components as DateComponents
        value.dayOfYear = try fields[DateComponentFields.dayOfYear].flatMap { (field) throws(CodingFailure) in
            guard let number = field.whole else { throw .damaged }
            return number == NSDateComponentUndefined ? nil : Int(number)
        }
        value.isLeapMonth = fields[DateComponentFields.isLeapMonth]?.whole.map { $0 != 0 } ?? false
        value.isRepeatedDay = fields[DateComponentFields.isRepeatedDay]?.whole.map { $0 != 0 }
        value.calendar = calendar.map { $0 as Calendar }
        value.timeZone = zone.map { $0 as TimeZone }
        return value as NSDateComponents
    }

    private static func calendar(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSCalendar {
        let identifier = try reader.text(fields["NS.identifier"])
        guard let calendar = NSCalendar(identifier: NSCalendar.Identifier(rawValue: identifier)) else {
            throw .damaged
        }
        let zone = try reader.optional(fields["NS.timezone"]) as NSTimeZone?
        let locale = try reader.optional(fields["NS.locale"]) as NSLocale?
        if let zone { calendar.timeZone = zone as TimeZone }
        calendar.locale = locale.map { $0 as Locale }
        if let day = fields["NS.firstwkdy"]?.whole, (1...7).contains(day) { calendar.firstWeekday = Int(day) }
        if let days = fields["NS.mindays"]?.whole, (1...7).contains(days) {
            calendar.minimumDaysInFirstWeek = Int(days)
        }
        return calendar
    }

    // MARK: Indexes

    private static func indexes(
        _ name: ExactText, _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> NSObject? {
        switch name {
        case "NSIndexSet": return NSIndexSet(indexSet: try indexSet(fields, reader))
        case "NSMutableIndexSet": return NSMutableIndexSet(indexSet: try indexSet(fields, reader))
        case "NSIndexPath":
            switch fields["NSIndexPathLength"]?.whole {
            case 0: return NSIndexPath(indexes: [], length: 0)
            case 1: return NSIndexPath(index: try reader.whole(fields["NSIndexPathValue"]))
            case let length?:
                let positions = try reader.packedNumbers(fields["NSIndexPathData"])
                guard Int64(positions.count) == length else { throw .damaged }
                return NSIndexPath(indexes: positions, length: positions.count)
            case nil: throw .damaged
            }
        case "NSValue": return try GeometryFields.value(fields, reader)
        default: return nil
        }
    }

    private static func indexSet(
        _ fields: [ExactText: PropertyList], _ reader: ArchiveReader
    ) throws(CodingFailure) -> IndexSet {
        guard let count = fields["NSRangeCount"]?.whole else { throw .damaged }
        var numbers: [Int] = []
        if count == 1 {
            numbers = [try reader.whole(fields["NSLocation"]), try reader.whole(fields["NSLength"])]
        } else if count > 1 {
            numbers = try reader.packedNumbers(fields["NSRangeData"])
        }
        guard numbers.count.isMultiple(of: 2), numbers.count / 2 == count else { throw .damaged }
        var ranges: [Range<Int>] = []
        for pair in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[pair], numbers[pair + 1])
            // The last index is the one before NSNotFound.
            guard location >= 0, length > 0, location < NSNotFound - length else { throw .damaged }
            ranges.append(location..<(location + length))
        }
        var set = IndexSet()
        // Inserting a range before others moves all of them.
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { set.insert(integersIn: range) }
        return set
    }
}

extension ArchiveReader {
    /// The objects of a list. None may be nil.
    func objects(_ references: PropertyList?) throws(CodingFailure) -> [NSObject] {
        guard case .array(let references)? = references else { throw .damaged }
        var objects: [NSObject] = []
        for reference in references { objects.append(try present(reference)) }
        return objects
    }

    /// The objects of a list that become keys or members of a set.
    func members(_ references: PropertyList?) throws(CodingFailure) -> [NSObject] {
        let objects = try objects(references)
        for object in objects where !Self.hasSafeHash(object) { throw .damaged }
        try ExactText.checkSpelling(objects.lazy.compactMap { $0 as? NSString }.map { ExactText($0 as String) })
        return objects
    }

    /// Whether an object may be asked for its hash. For some, Foundation ends the process.
    private static func hasSafeHash(_ object: NSObject) -> Bool {
        switch object {
        case is NSDecimalNumber: false
        case is NSString, is NSNumber, is NSDate, is NSData, is NSNull, is NSUUID, is NSURL, is NSArray, is NSSet,
            is NSOrderedSet, is NSDictionary, is NSIndexPath, is NSIndexSet:
            true
        default: !ArchivedClass.isFoundations(type(of: object))
        }
    }

    /// The object of a field, or nil. An object of another class is an error.
    func optional<Value: NSObject>(_ field: PropertyList?) throws(CodingFailure) -> Value? {
        guard let field, let found = try object(field) else { return nil }
        guard let found = found as? Value else { throw .damaged }
        return found
    }

    /// A text in the field itself or in the object it refers to.
    func text(_ field: PropertyList?) throws(CodingFailure) -> String {
        switch field {
        case .text(let text): return text
        case .data(let data):
            guard let text = ExactText(utf8: data) else { throw .damaged }
            return text.string
        default:
            guard let text = try present(field) as? NSString else { throw .damaged }
            return text as String
        }
    }

    /// The entries of a dictionary with text keys.
    ///
    /// - Throws: ``CodingFailure`` for other keys, and if Swift treats two keys as equal.
    func texts(_ dictionary: NSDictionary) throws(CodingFailure) -> [String: Any] {
        var texts: [String: Any] = [:]
        for (key, value) in dictionary.rawEntries {
            guard let key = key as? NSString else { throw .damaged }
            guard texts.updateValue(value, forKey: key as String) == nil else { throw .damaged }
        }
        return texts
    }

    /// Data in the field itself or in the object it refers to.
    func data(_ field: PropertyList?) throws(CodingFailure) -> Data {
        if case .data(let data) = field { return data }
        guard let data = try present(field) as? NSData else { throw .damaged }
        return Data(bytes: data.bytes, count: data.length)
    }

    /// Numbers packed into data.
    func packedNumbers(_ field: PropertyList?) throws(CodingFailure) -> [Int] {
        try PackedIntegers.numbers(in: data(field))
    }

    /// A whole number in the field itself or in the object it refers to.
    func whole(_ field: PropertyList?) throws(CodingFailure) -> Int {
        if let number = field?.whole { return Int(number) }
        guard case .reference? = field, let number = try present(field) as? NSNumber,
            let whole = PropertyList(leaf: number)?.whole
        else { throw .damaged }
        return Int(whole)
    }
}
