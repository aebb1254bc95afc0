// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The fields of a Foundation object in an archive, with the names that Apple's classes give them.
struct FoundationFields {
    var values: [ExactText: PropertyList]
    /// The class and its superclasses.
    let classNames: [String]

    private init(_ classNames: [String], _ values: [ExactText: PropertyList]) {
        self.classNames = classNames + ["NSObject"]
        self.values = values
    }

    static func of(_ object: NSObject, in writer: ArchiveWriter) throws(CodingFailure) -> FoundationFields {
        switch object {
        case is NSArray, is NSSet, is NSOrderedSet, is NSDictionary: try collection(object, writer)
        case is NSMutableString, is NSMutableData, is NSDecimalNumber, is NSNull: try simple(object, writer)
        case is NSURL, is NSUUID, is NSError, is NSAttributedString, is NSRegularExpression: try named(object, writer)
        case is NSDateComponents, is NSTimeZone, is NSLocale, is NSCalendar, is NSDateInterval:
            try calendrical(object, writer)
        case is NSIndexSet, is NSIndexPath, is NSValue: try indexes(object, writer)
        default: throw unsupported(object)
        }
    }

    private static func unsupported(_ object: NSObject) -> CodingFailure {
        CodingFailure(.unsupported, typeName: String(describing: type(of: object)))
    }

    // MARK: Collections

    private static func collection(
        _ object: NSObject, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        switch object {
        case let array as NSArray:
            let names = array is NSMutableArray ? ["NSMutableArray", "NSArray"] : ["NSArray"]
            return .init(names, ["NS.objects": try writer.references(to: array.rawElements)])
        case let set as NSSet:
            let names = set is NSMutableSet ? ["NSMutableSet", "NSSet"] : ["NSSet"]
            return .init(names, ["NS.objects": try writer.references(to: set.rawElements)])
        case let set as NSOrderedSet:
            let names = set is NSMutableOrderedSet ? ["NSMutableOrderedSet", "NSOrderedSet"] : ["NSOrderedSet"]
            var fields: [ExactText: PropertyList] = [:]
            for (position, element) in set.rawElements.enumerated() {
                fields["NS.object.\(position)"] = try writer.reference(to: element)
            }
            return .init(names, fields)
        case let dictionary as NSDictionary:
            let entries = dictionary.rawEntries
            let names =
                dictionary is NSMutableDictionary ? ["NSMutableDictionary", "NSDictionary"] : ["NSDictionary"]
            return .init(
                names,
                [
                    "NS.keys": try writer.references(to: entries.map(\.key)),
                    "NS.objects": try writer.references(to: entries.map(\.value)),
                ])
        default: throw unsupported(object)
        }
    }

    // MARK: Simple values

    private static func simple(
        _ object: NSObject, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        switch object {
        case let text as NSMutableString:
            return .init(["NSMutableString", "NSString"], ["NS.string": .text(text as String)])
        case let data as NSMutableData:
            return .init(
                ["NSMutableData", "NSData"], ["NS.data": .data(Data(bytes: data.bytes, count: data.length))])
        case let number as NSDecimalNumber:
            return .init(["NSDecimalNumber", "NSNumber", "NSValue"], try DecimalFields.fields(of: number.decimalValue))
        case is NSNull: return .init(["NSNull"], [:])
        default: throw unsupported(object)
        }
    }

    // MARK: Values with names

    private static func named(
        _ object: NSObject, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        switch object {
        case let url as NSURL:
            return .init(
                ["NSURL"],
                [
                    "NS.base": try writer.reference(to: url.baseURL.map { $0 as NSURL }),
                    "NS.relative": try writer.reference(to: url.relativeString),
                ])
        case let uuid as NSUUID:
            var bytes = [UInt8](repeating: 0, count: 16)
            uuid.getBytes(&bytes)
            return .init(["NSUUID"], ["NS.uuidbytes": .data(Data(bytes))])
        case let error as NSError:
            return .init(
                ["NSError"],
                [
                    "NSDomain": try writer.reference(to: error.domain), "NSCode": .integer(Int64(error.code)),
                    "NSUserInfo": try writer.reference(to: error.userInfo as NSDictionary),
                ])
        case let text as NSAttributedString: return try attributed(text, writer)
        case let expression as NSRegularExpression:
            guard let options = Int64(exactly: expression.options.rawValue) else { throw unsupported(object) }
            let pattern = try givenPattern(of: expression)
            return .init(
                ["NSRegularExpression"],
                ["NSPattern": try writer.reference(to: pattern), "NSOptions": .integer(options)])
        default: throw unsupported(object)
        }
    }

    /// The pattern from which an expression was made, as in Apple's archives. If an expression ignores metacharacters,
    /// Foundation on Linux returns its pattern with a backslash before each of them, and would add further backslashes
    /// when the pattern is read.
    private static func givenPattern(of expression: NSRegularExpression) throws(CodingFailure) -> String {
        let (pattern, options) = (expression.pattern, expression.options)
        if !options.contains(.ignoreMetacharacters) { return pattern }
        var given = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            isEscaped = !isEscaped && scalar == "\\"
            if !isEscaped { given.append(scalar) }
        }
        let again = try? NSRegularExpression(pattern: String(given), options: options)
        guard let again, again.pattern.utf16.elementsEqual(pattern.utf16) else { throw unsupported(expression) }
        return String(given)
    }

    private static func attributed(
        _ text: NSAttributedString, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        let isMutable = text is NSMutableAttributedString
        let names = isMutable ? ["NSMutableAttributedString", "NSAttributedString"] : ["NSAttributedString"]
        var fields: [ExactText: PropertyList] = ["NSString": try writer.reference(to: text.string)]
        var runs: [NSDictionary] = []
        var lengths = PackedIntegers()
        var position = 0
        while position < text.length {
            let (attributes, range) = text.rawAttributes(at: position)
            let length = range.location + range.length - position
            guard length > 0 else { throw unsupported(text) }
            lengths.append(length)
            lengths.append(runs.count)
            runs.append(attributes)
            position += length
        }
        if runs.count == 1 {
            fields["NSAttributes"] = try writer.reference(to: runs[0])
        } else if runs.count > 1 {
            fields["NSAttributes"] = try writer.reference(to: runs as NSArray)
            fields["NSAttributeInfo"] = try writer.reference(to: lengths.data)
        }
        return .init(names, fields)
    }

    // MARK: Dates and places

    private static func calendrical(
        _ object: NSObject, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        switch object {
        case let components as NSDateComponents:
            var fields: [ExactText: PropertyList] = [:]
            for (name, path) in DateComponentFields.all { fields[name] = .integer(Int64(components[keyPath: path])) }
            let value = components as DateComponents
            fields[DateComponentFields.dayOfYear] = value.dayOfYear.map { .integer(Int64($0)) }
            fields[DateComponentFields.isLeapMonth] = .boolean(value.isLeapMonth ?? false)
            fields[DateComponentFields.isRepeatedDay] = value.isRepeatedDay.map { .boolean($0) }
            fields["NS.calendar"] = try writer.reference(to: components.calendar.map { $0 as NSCalendar })
            fields["NS.timezone"] = try writer.reference(to: components.timeZone.map { $0 as NSTimeZone })
            return .init(["NSDateComponents"], fields)
        case let zone as NSTimeZone:
            return .init(
                ["NSTimeZone"],
                ["NS.name": try writer.reference(to: zone.name), "NS.data": try writer.reference(to: zone.data)])
        case let locale as NSLocale:
            return .init(["NSLocale"], ["NS.identifier": try writer.reference(to: (locale as Locale).identifier)])
        case let calendar as NSCalendar:
            return .init(
                ["NSCalendar"],
                [
                    "NS.identifier": try writer.reference(to: calendar.calendarIdentifier.rawValue),
                    "NS.timezone": try writer.reference(to: calendar.timeZone as NSTimeZone),
                    "NS.locale": try writer.reference(to: calendar.locale.map { $0 as NSLocale }),
                    "NS.firstwkdy": .integer(Int64(calendar.firstWeekday)),
                    "NS.mindays": .integer(Int64(calendar.minimumDaysInFirstWeek)),
                ])
        case let interval as NSDateInterval:
            return .init(
                ["NSDateInterval"],
                [
                    "NS.startDate": try writer.reference(to: interval.startDate),
                    "NS.endDate": try writer.reference(to: interval.endDate),
                ])
        default: throw unsupported(object)
        }
    }

    // MARK: Indexes

    private static func indexes(
        _ object: NSObject, _ writer: ArchiveWriter
    ) throws(CodingFailure) -> FoundationFields {
        switch object {
        case let set as NSIndexSet:
            let names = set is NSMutableIndexSet ? ["NSMutableIndexSet", "NSIndexSet"] : ["NSIndexSet"]
            var ranges: [NSRange] = []
            set.enumerateRanges { range, _ in ranges.append(range) }
            var fields: [ExactText: PropertyList] = ["NSRangeCount": .integer(Int64(ranges.count))]
            if ranges.count == 1 {
                fields["NSLocation"] = .integer(Int64(ranges[0].location))
                fields["NSLength"] = .integer(Int64(ranges[0].length))
            } else if !ranges.isEmpty {
                fields["NSRangeData"] = try packed(ranges.flatMap { [$0.location, $0.length] }, writer)
            }
            return .init(names, fields)
        case let path as NSIndexPath:
            let positions = (0..<path.length).map(path.index(atPosition:))
            var fields: [ExactText: PropertyList] = ["NSIndexPathLength": .integer(Int64(path.length))]
            if positions.count == 1 {
                fields["NSIndexPathValue"] = .integer(Int64(positions[0]))
            } else if !positions.isEmpty {
                fields["NSIndexPathData"] = try packed(positions, writer)
            }
            return .init(["NSIndexPath"], fields)
        case let value as NSValue: return .init(["NSValue"], try GeometryFields.fields(of: value, writer))
        default: throw unsupported(object)
        }
    }

    private static func packed(_ numbers: [Int], _ writer: ArchiveWriter) throws(CodingFailure) -> PropertyList {
        var packed = PackedIntegers()
        numbers.forEach { packed.append($0) }
        return try writer.reference(to: packed.data)
    }
}
