// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Checks whether an object that was read from an archive equals the one that was written.
///
/// The members of an object are checked separately, because each has its own place in the archive's table. So a
/// collection only needs the same number of members. Comparing sets as such would compare each member with many others.
enum CopyCheck {
    /// - Parameter writtenAs: The class that an object of the application was written as; nil for an object of
    ///   Foundation's.
    static func isCopy(_ copy: NSObject, of object: AnyObject, writtenAs: AnyClass?) -> Bool {
        if let writtenAs { return type(of: copy) == ArchivedClass.comingToLife(as: writtenAs) }
        guard let object = object as? NSObject else { return false }
        return switch object {
        case let array as NSArray: (copy as? NSArray)?.count == array.count
        case let dictionary as NSDictionary: (copy as? NSDictionary)?.count == dictionary.count
        case let set as NSSet: (copy as? NSSet)?.count == set.count
        case let set as NSOrderedSet: (copy as? NSOrderedSet)?.count == set.count
        default: isCopy(copy, ofValue: object)
        }
    }

    private static func isCopy(_ copy: NSObject, ofValue object: NSObject) -> Bool {
        switch (copy, object) {
        case (let copy as NSString, let text as NSString): isSame(copy as String, text as String)
        case (let copy as NSData, let data as NSData): copy.isEqual(to: Data(data))
        case (let copy as NSDecimalNumber, let number as NSDecimalNumber):
            isSame(copy.decimalValue, number.decimalValue)
        case (let copy as NSError, let error as NSError):
            isSame(copy.domain, error.domain) && copy.code == error.code && copy.userInfo.count == error.userInfo.count
        case (let copy as NSAttributedString, let text as NSAttributedString): isSame(copy.string, text.string)
        case (let copy as NSDateComponents, let components as NSDateComponents):
            numbers(of: copy) == numbers(of: components)
        case (let copy as NSURL, let url as NSURL) where copy.path != url.path: false
        default: hasSameFields(copy, as: object)
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool { ExactText(one) == ExactText(other) }

    private static func isSame(_ one: Decimal, _ other: Decimal) -> Bool {
        one == other || (one.isNaN && other.isNaN)
    }

    /// Calendar and time zone are compared separately. One that follows the user's settings never equals another.
    private static func numbers(of components: NSDateComponents) -> DateComponents {
        var numbers = components as DateComponents
        numbers.calendar = nil
        numbers.timeZone = nil
        return numbers
    }

    /// Whether two values have the same written form.
    private static func hasSameFields(_ copy: NSObject, as object: NSObject) -> Bool {
        guard let written = try? ArchiveWriter().archive(of: object, key: "") else { return false }
        let again = try? ArchiveWriter().archive(of: copy, key: "")
        return again?.objects == written.objects
    }
}
