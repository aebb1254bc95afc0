// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on numbers.

import Foundation

/// The types that a number can be made from or converted to.
public enum CFNumberType: CFIndex, Sendable {
    /// `Int8`.
    case sInt8Type = 1
    /// `Int16`.
    case sInt16Type = 2
    /// `Int32`.
    case sInt32Type = 3
    /// `Int64`.
    case sInt64Type = 4
    /// `Float`.
    case float32Type = 5
    /// `Double`.
    case float64Type = 6
    /// `char` of C: `Int8`.
    case charType = 7
    /// `short` of C: `Int16`.
    case shortType = 8
    /// `int` of C: `Int32`.
    case intType = 9
    /// `long` of C: `Int64`.
    case longType = 10
    /// `long long` of C: `Int64`.
    case longLongType = 11
    /// `float` of C: `Float`.
    case floatType = 12
    /// `double` of C: `Double`.
    case doubleType = 13
    /// `CFIndex`.
    case cfIndexType = 14
    /// `Int`.
    case nsIntegerType = 15
    /// `CGFloat`.
    case cgFloatType = 16

    /// The last of the types.
    public static var maxType: CFNumberType { .cgFloatType }

    /// The size and kind of each C type on this platform.
    fileprivate enum Storage {
        case int8, int16, int32, int64, float, double

        var byteCount: CFIndex {
            switch self {
            case .int8: 1
            case .int16: 2
            case .int32, .float: 4
            case .int64, .double: 8
            }
        }

        var isFloat: Bool { self == .float || self == .double }
    }

    fileprivate var storage: Storage {
        switch self {
        case .sInt8Type, .charType: .int8
        case .sInt16Type, .shortType: .int16
        case .sInt32Type, .intType: .int32
        case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType: .int64
        case .float32Type, .floatType: .float
        case .float64Type, .doubleType, .cgFloatType: .double
        }
    }
}

/// Makes a number from the value at an address.
///
/// - Returns: The number, or `nil` without an address.
@discardableResult
public func CFNumberCreate(
    _ allocator: CFAllocator!, _ theType: CFNumberType, _ valuePtr: UnsafeRawPointer!
) -> CFNumber! {
    guard let valuePtr else { return nil }
    return switch theType.storage {
    case .int8: NSNumber(value: valuePtr.loadUnaligned(as: Int8.self))
    case .int16: NSNumber(value: valuePtr.loadUnaligned(as: Int16.self))
    case .int32: NSNumber(value: valuePtr.loadUnaligned(as: Int32.self))
    case .int64: NSNumber(value: valuePtr.loadUnaligned(as: Int64.self))
    case .float: NSNumber(value: valuePtr.loadUnaligned(as: Float.self))
    case .double: NSNumber(value: valuePtr.loadUnaligned(as: Double.self))
    }
}

/// Gives the type in which a number is stored. It can differ from the type that it was made from.
@discardableResult
public func CFNumberGetType(_ number: CFNumber!) -> CFNumberType {
    switch number.map({ $0.objCType.pointee }) {
    case CChar(UInt8(ascii: "c")): .sInt8Type
    case CChar(UInt8(ascii: "s")), CChar(UInt8(ascii: "C")): .sInt16Type
    case CChar(UInt8(ascii: "i")), CChar(UInt8(ascii: "S")): .sInt32Type
    case CChar(UInt8(ascii: "f")): .float32Type
    case CChar(UInt8(ascii: "d")): .float64Type
    default: .sInt64Type
    }
}

/// Gives the size of the stored number in bytes.
@discardableResult
public func CFNumberGetByteSize(_ number: CFNumber!) -> CFIndex {
    CFNumberGetType(number).storage.byteCount
}

/// Tells whether a number is stored as floating point.
@discardableResult
public func CFNumberIsFloatType(_ number: CFNumber!) -> Bool {
    CFNumberGetType(number).storage.isFloat
}

/// Converts a number to a type.
///
/// - Parameters:
///   - number: The number.
///   - theType: The type.
///   - valuePtr: Receives the value.
/// - Returns: Whether the conversion is exact. If it is not, a value close to it is written.
@discardableResult
public func CFNumberGetValue(
    _ number: CFNumber!, _ theType: CFNumberType, _ valuePtr: UnsafeMutableRawPointer!
) -> Bool {
    guard let number, let valuePtr else { return false }
    switch theType.storage {
    case .int8: return store(number, as: Int8.self, at: valuePtr)
    case .int16: return store(number, as: Int16.self, at: valuePtr)
    case .int32: return store(number, as: Int32.self, at: valuePtr)
    case .int64: return store(number, as: Int64.self, at: valuePtr)
    case .float:
        valuePtr.storeBytes(of: number.floatValue, as: Float.self)
        return number.floatValue.isNaN || Double(number.floatValue) == number.doubleValue
    case .double:
        valuePtr.storeBytes(of: number.doubleValue, as: Double.self)
        return CFNumberIsFloatType(number) || Int64(exactly: number.doubleValue) == number.int64Value
    }
}

private func store<Integer: FixedWidthInteger>(
    _ number: NSNumber, as type: Integer.Type, at address: UnsafeMutableRawPointer
) -> Bool {
    let exact: Integer?
    let near: Integer
    if CFNumberIsFloatType(number) {
        let value = number.doubleValue
        exact = Integer(exactly: value)
        // NaN, and numbers beyond the type's range, cannot be converted.
        near = value.isNaN ? 0 : Integer(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    } else if number.objCType.pointee == CChar(UInt8(ascii: "Q")) {
        exact = Integer(exactly: number.uint64Value)
        near = Integer(clamping: number.uint64Value)
    } else {
        exact = Integer(exactly: number.int64Value)
        near = Integer(clamping: number.int64Value)
    }
    address.storeBytes(of: exact ?? near, as: Integer.self)
    return exact != nil
}

/// Compares two numbers.
///
/// - Parameters:
///   - number: The first.
///   - otherNumber: The second.
///   - context: Not used.
@discardableResult
public func CFNumberCompare(
    _ number: CFNumber!, _ otherNumber: CFNumber!, _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    guard let first = number, let second = otherNumber else {
        return number == nil ? (otherNumber == nil ? .compareEqualTo : .compareLessThan) : .compareGreaterThan
    }
    return CFComparisonResult(first.compare(second))
}

/// True, as an object.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

/// False, as an object.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// Gives a truth value as a `Bool`.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    boolean?.boolValue ?? false
}
