// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// The value of a statement's parameter. It travels in PostgreSQL's binary format, with its type.
    package enum PostgreSQLValue: Sendable {
        /// NULL; the server infers the type.
        case null
        /// `bytea`
        case bytes([UInt8])
        /// `text`
        case text(String)
        /// `bigint`
        case integer(Int64)
        /// `boolean`
        case boolean(Bool)
        /// `bytea[]`
        case bytesList([[UInt8]])
        /// `bigint[]`
        case integerList([Int64])
        /// `text[]`
        case textList([String])

        /// PostgreSQL's number of the type; 0 lets the server infer it.
        var type: UInt32 {
            switch self {
            case .null: 0
            case .bytes: 17
            case .text: 25
            case .integer: 20
            case .boolean: 16
            case .bytesList: 1001
            case .integerList: 1016
            case .textList: 1009
            }
        }

        /// The bytes on the wire, or nil for NULL.
        var binary: [UInt8]? {
            switch self {
            case .null: nil
            case .bytes(let bytes): bytes
            case .text(let text): Array(text.utf8)
            case .integer(let number): number.bigEndianBytes
            case .boolean(let value): [value ? 1 : 0]
            case .bytesList(let list): Self.array(list, elementType: 17)
            case .integerList(let list): Self.array(list.map(\.bigEndianBytes), elementType: 20)
            case .textList(let list): Self.array(list.map { Array($0.utf8) }, elementType: 25)
            }
        }

        /// An array with one dimension that starts at 1 and has no NULL.
        private static func array(_ elements: [[UInt8]], elementType: Int32) -> [UInt8] {
            let dimensions: Int32 = elements.isEmpty ? 0 : 1
            var result = dimensions.bigEndianBytes + Int32(0).bigEndianBytes + elementType.bigEndianBytes
            if elements.isEmpty { return result }
            result.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + $1.count })
            result += Int32(clamping: elements.count).bigEndianBytes + Int32(1).bigEndianBytes
            for element in elements { result += Int32(clamping: element.count).bigEndianBytes + element }
            return result
        }
    }

    extension FixedWidthInteger {
        /// The bytes, most significant first.
        fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
    }
#endif
