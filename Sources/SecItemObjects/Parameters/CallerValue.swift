// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One value of a caller's dictionary, of any type.
package enum CallerValue {
    case string(CallerText)
    case data(NSData)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case uuid(UUID)
    case array(NSArray)
    case dictionary(NSDictionary)
    case null
    /// A C dictionary without callbacks can hold NULL.
    case missing
    /// Any other object, such as an access control or a context.
    case object(AnyObject)

    package init(_ object: AnyObject) {
        switch object {
        case let string as NSString: self = .string(CallerText(string as String))
        case let number as NSNumber: self.init(number)
        case let data as NSData: self = .data(data)
        case let date as NSDate: self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let array as NSArray: self = .array(array)
        case let dictionary as NSDictionary: self = .dictionary(dictionary)
        case is NSNull: self = .null
        default: self = .object(withoutBox(object))
        }
    }

    private init(_ number: NSNumber) {
        // There is one object for each boolean. A number 1 is not one of them, and Apple's keychain distinguishes them.
        if number === (true as NSNumber) {
            self = .boolean(true)
        } else if number === (false as NSNumber) {
            self = .boolean(false)
        } else if let integer = number as? Int64 {
            self = .integer(integer)
        } else {
            self = .real(number.doubleValue)
        }
    }

    /// Whether a property list can hold the value. Only such values reach Apple's keychain server.
    package var isPropertyList: Bool {
        switch self {
        case .object, .missing: false
        default: true
        }
    }

    /// - Throws: `errSecDataTooLarge` if a text or data has more bytes. Reads only the count.
    package func requireSize(_ greatest: Int) throws(KeychainError) {
        let size =
            switch self {
            case .string(let text): text.utf8.count
            case .data(let data): data.length
            default: 0
            }
        if size > greatest { throw KeychainError(errSecDataTooLarge, "a value has more than \(greatest) bytes") }
    }

    package var text: CallerText? {
        if case .string(let text) = self { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }
}

extension NSData {
    /// A copy of the bytes. Bridging would copy them one by one on Linux.
    package var copiedData: Data {
        Data(bytes: bytes, count: length)
    }
}
