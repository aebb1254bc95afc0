// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The functions of CFByteOrder.h.
@Suite struct ByteOrderTests {
    @Test func integers_areConverted() {
        #expect(CFSwapInt16(0x0102) == 0x0201)
        #expect(CFSwapInt32(0x0102_0304) == 0x0403_0201)
        #expect(CFSwapInt64(0x0102_0304_0506_0708) == 0x0807_0605_0403_0201)
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        func read<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
            bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
        }
        #expect(CFSwapInt16BigToHost(read(UInt16.self)) == 0x0102)
        #expect(CFSwapInt32BigToHost(read(UInt32.self)) == 0x0102_0304)
        #expect(CFSwapInt64BigToHost(read(UInt64.self)) == 0x0102_0304_0506_0708)
        #expect(CFSwapInt16LittleToHost(read(UInt16.self)) == 0x0201)
        #expect(CFSwapInt32LittleToHost(read(UInt32.self)) == 0x0403_0201)
        #expect(CFSwapInt64LittleToHost(read(UInt64.self)) == 0x0807_0605_0403_0201)
        #expect(CFSwapInt16HostToBig(0x0102) == read(UInt16.self))
        #expect(CFSwapInt32HostToBig(0x0102_0304) == read(UInt32.self))
        #expect(CFSwapInt64HostToBig(0x0102_0304_0506_0708) == read(UInt64.self))
        #expect(CFSwapInt16HostToLittle(0x0201) == read(UInt16.self))
        #expect(CFSwapInt32HostToLittle(0x0403_0201) == read(UInt32.self))
        #expect(CFSwapInt64HostToLittle(0x0807_0605_0403_0201) == read(UInt64.self))
    }

    @Test func floatingPointNumbers_areBigEndianBytes() {
        #expect(withUnsafeBytes(of: CFConvertFloatHostToSwapped(1).v) { Array($0) } == [0x3f, 0x80, 0, 0])
        #expect(withUnsafeBytes(of: CFConvertDoubleHostToSwapped(1).v) { Array($0) } == [0x3f, 0xf0, 0, 0, 0, 0, 0, 0])
        for value in [0, -0.0, 1.5, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Double] {
            #expect(CFConvertDoubleSwappedToHost(CFConvertDoubleHostToSwapped(value)) == value)
            #expect(CFConvertFloat64SwappedToHost(CFConvertFloat64HostToSwapped(value)) == value)
            let short = Float(value)
            #expect(CFConvertFloatSwappedToHost(CFConvertFloatHostToSwapped(short)) == short)
            #expect(CFConvertFloat32SwappedToHost(CFConvertFloat32HostToSwapped(short)) == short)
        }
    }

    @Test func order_isThatOfTheMachine() {
        let isLittle = UInt16(1).littleEndian == 1
        #expect(
            CFByteOrderGetCurrent() == CFByteOrder((isLittle ? CFByteOrderLittleEndian : CFByteOrderBigEndian).rawValue)
        )
        #expect(CFByteOrderUnknown.rawValue == 0)
    }
}
