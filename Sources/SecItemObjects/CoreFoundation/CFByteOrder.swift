// SPDX-License-Identifier: Apache-2.0

import Foundation

// The functions of CFByteOrder.h.

/// The order of the bytes of a number in memory. Apple: CFByteOrder.
public typealias CFByteOrder = CFIndex

/// The values of `CFByteOrderGetCurrent`.
public struct __CFByteOrder: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// The order is not known.
public let CFByteOrderUnknown = __CFByteOrder(0)
/// The least significant byte is the first one.
public let CFByteOrderLittleEndian = __CFByteOrder(1)
/// The most significant byte is the first one.
public let CFByteOrderBigEndian = __CFByteOrder(2)

/// Gives the order of the bytes of a number in this machine's memory.
@discardableResult
public func CFByteOrderGetCurrent() -> CFByteOrder {
    CFByteOrder((1.littleEndian == 1 ? CFByteOrderLittleEndian : CFByteOrderBigEndian).rawValue)
}

// MARK: - Integers

/// Reverses the bytes of a number.
@discardableResult
public func CFSwapInt16(_ arg: UInt16) -> UInt16 { arg.byteSwapped }

/// Reverses the bytes of a number.
@discardableResult
public func CFSwapInt32(_ arg: UInt32) -> UInt32 { arg.byteSwapped }

/// Reverses the bytes of a number.
@discardableResult
public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }

/// Converts a big-endian number to the order of this machine.
@discardableResult
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }

/// Converts a number of this machine to big-endian order.
@discardableResult
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }

/// Converts a big-endian number to the order of this machine.
@discardableResult
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }

/// Converts a number of this machine to big-endian order.
@discardableResult
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }

/// Converts a big-endian number to the order of this machine.
@discardableResult
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }

/// Converts a number of this machine to big-endian order.
@discardableResult
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }

/// Converts a little-endian number to the order of this machine.
@discardableResult
public func CFSwapInt16LittleToHost(_ arg: UInt16) -> UInt16 { UInt16(littleEndian: arg) }

/// Converts a number of this machine to little-endian order.
@discardableResult
public func CFSwapInt16HostToLittle(_ arg: UInt16) -> UInt16 { arg.littleEndian }

/// Converts a little-endian number to the order of this machine.
@discardableResult
public func CFSwapInt32LittleToHost(_ arg: UInt32) -> UInt32 { UInt32(littleEndian: arg) }

/// Converts a number of this machine to little-endian order.
@discardableResult
public func CFSwapInt32HostToLittle(_ arg: UInt32) -> UInt32 { arg.littleEndian }

/// Converts a little-endian number to the order of this machine.
@discardableResult
public func CFSwapInt64LittleToHost(_ arg: UInt64) -> UInt64 { UInt64(littleEndian: arg) }

/// Converts a number of this machine to little-endian order.
@discardableResult
public func CFSwapInt64HostToLittle(_ arg: UInt64) -> UInt64 { arg.littleEndian }

// MARK: - Floating-point numbers

/// The bytes of a `Float` in big-endian order.
public struct CFSwappedFloat32: Sendable {
    public var v: UInt32

    public init() { v = 0 }
    public init(v: UInt32) { self.v = v }
}

/// The bytes of a `Double` in big-endian order.
public struct CFSwappedFloat64: Sendable {
    public var v: UInt64

    public init() { v = 0 }
    public init(v: UInt64) { self.v = v }
}

/// Converts a number of this machine to bytes in big-endian order.
@discardableResult
public func CFConvertFloat32HostToSwapped(_ arg: Float) -> CFSwappedFloat32 {
    CFSwappedFloat32(v: arg.bitPattern.bigEndian)
}

/// Converts bytes in big-endian order to a number of this machine.
@discardableResult
public func CFConvertFloat32SwappedToHost(_ arg: CFSwappedFloat32) -> Float {
    Float(bitPattern: UInt32(bigEndian: arg.v))
}

/// Converts a number of this machine to bytes in big-endian order.
@discardableResult
public func CFConvertFloat64HostToSwapped(_ arg: Double) -> CFSwappedFloat64 {
    CFSwappedFloat64(v: arg.bitPattern.bigEndian)
}

/// Converts bytes in big-endian order to a number of this machine.
@discardableResult
public func CFConvertFloat64SwappedToHost(_ arg: CFSwappedFloat64) -> Double {
    Double(bitPattern: UInt64(bigEndian: arg.v))
}

/// Converts a number of this machine to bytes in big-endian order.
@discardableResult
public func CFConvertFloatHostToSwapped(_ arg: Float) -> CFSwappedFloat32 {
    CFSwappedFloat32(v: arg.bitPattern.bigEndian)
}

/// Converts bytes in big-endian order to a number of this machine.
@discardableResult
public func CFConvertFloatSwappedToHost(_ arg: CFSwappedFloat32) -> Float {
    Float(bitPattern: UInt32(bigEndian: arg.v))
}

/// Converts a number of this machine to bytes in big-endian order.
@discardableResult
public func CFConvertDoubleHostToSwapped(_ arg: Double) -> CFSwappedFloat64 {
    CFSwappedFloat64(v: arg.bitPattern.bigEndian)
}

/// Converts bytes in big-endian order to a number of this machine.
@discardableResult
public func CFConvertDoubleSwappedToHost(_ arg: CFSwappedFloat64) -> Double {
    Double(bitPattern: UInt64(bigEndian: arg.v))
}
