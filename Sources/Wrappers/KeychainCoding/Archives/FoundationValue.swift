// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value of the program as one of Foundation's values that archives can hold.
enum FoundationValue {
    /// A value that an archive stores in place: text, a number, a date or data.
    case leaf(PropertyList)
    /// An object with fields: ``FoundationFields``.
    case object(NSObject)

    /// - Returns: Nil for a value of any other type, such as an object of the application's own class.
    init?(_ object: Any) {
        // Mutable objects stay mutable.
        if object is NSMutableString || object is NSMutableData {
            guard let object = object as? NSObject else { return nil }
            self = .object(object)
        } else if let decimal = object as? NSDecimalNumber {
            // This includes Swift's `Decimal`. An archive holds all its digits.
            self = .object(decimal)
        } else if let leaf = PropertyList(leaf: object) {
            self = .leaf(leaf)
        } else if let collection = Self.collection(object) {
            self = .object(collection)
        } else if let value = Self.value(object), ArchivedClass.isFoundations(type(of: value)) {
            self = .object(value)
        } else {
            return nil
        }
    }

    private static func collection(_ object: Any) -> NSObject? {
        switch object {
        case let array as NSArray: array
        case let dictionary as NSDictionary: dictionary
        case is NSCountedSet: nil
        case let set as NSSet: set
        case let set as NSOrderedSet: set
        default: nil
        }
    }

    private static func value(_ object: Any) -> NSObject? {
        switch object {
        case let value as NSNull: value
        case let value as NSURL: value
        case let value as NSUUID: value
        case let value as NSDateComponents: value
        case let value as NSTimeZone: value
        case let value as NSLocale: value
        case let value as NSCalendar: value
        case let value as NSIndexSet: value
        case let value as NSIndexPath: value
        case let value as NSDateInterval: value
        case let value as NSAttributedString: value
        case let value as NSRegularExpression: value
        case let value as NSError: value
        case let value as NSRange: NSValue(range: value)
        case let value as CGPoint: NSValue(point: value)
        case let value as CGSize: NSValue(size: value)
        case let value as CGRect: NSValue(rect: value)
        case let value as NSValue: value
        default: nil
        }
    }
}
