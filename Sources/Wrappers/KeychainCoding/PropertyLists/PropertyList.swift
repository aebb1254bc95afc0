// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property list as a value. The wrappers read it from an item and write it to one.
///
/// On Linux, Foundation's reader and writer end the process for some lists and values, so the wrappers use neither.
/// Every step here throws a ``CodingFailure`` instead.
package indirect enum PropertyList: Sendable {
    case boolean(Bool)
    case integer(Int64)
    /// A number above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since the beginning of 2001.
    case date(Double)
    case data(Data)
    case text(String)
    case array([PropertyList])
    case dictionary([ExactText: PropertyList])
    /// A reference to an object of a keyed archive, by its index in the table.
    case reference(Int)

    /// How deeply collections may be nested. Real values are nested less deeply, and this depth is safe for recursion.
    package static let greatestDepth = 200

    /// The greatest number of values in a list. A value counts once for each time that it is used, because a few bytes
    /// can describe a list in which each value is used twice, over two hundred levels.
    static let greatestWeight = 250_000
}

extension PropertyList {
    /// Reads a binary or an XML property list.
    package init(data: Data) throws(CodingFailure) {
        if data.starts(with: BinaryPropertyListReader.magic) {
            self = try BinaryPropertyListReader.value(in: data)
        } else {
            self = try XMLPropertyListReader.value(in: data)
        }
    }

    /// Reads a binary property list, and no other kind.
    package init(binary data: Data) throws(CodingFailure) {
        self = try BinaryPropertyListReader.value(in: data)
    }

    package var binary: Data { BinaryPropertyListWriter.data(of: self) }

    /// The list as a binary property list. The bytes were read once, and gave the same list.
    ///
    /// - Throws: ``CodingFailure`` if they could not be read.
    package func checkedBinary() throws(CodingFailure) -> Data {
        let data = binary
        guard try PropertyList(binary: data) == self else { throw CodingFailure(.unsupported) }
        return data
    }
}

/// The reason why a value could not be written, or bytes could not be read. It never contains a value, which may be
/// secret.
package struct CodingFailure: Error, Hashable, Sendable {
    package enum Kind: Sendable {
        /// A value of a type that cannot be stored.
        case unsupported
        /// Values that are nested too deeply, or that contain themselves.
        case tooDeep
        /// Too many values.
        case tooLarge
        /// Bytes that are not valid.
        case damaged
        /// An archive with an object of a class that is not allowed.
        case refusedClass
    }

    package let kind: Kind
    /// The name of the type that caused the failure, if there is one.
    package let typeName: String?

    package init(_ kind: Kind, typeName: String? = nil) {
        self.kind = kind
        self.typeName = typeName
    }

    static let damaged = CodingFailure(.damaged)
    static let tooDeep = CodingFailure(.tooDeep)
    static let tooLarge = CodingFailure(.tooLarge)
}

extension PropertyList: Equatable {
    /// Whether two lists are identical: texts are compared by their bytes, real numbers and dates by their bits.
    package static func == (one: PropertyList, other: PropertyList) -> Bool {
        switch (one, other) {
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.real(let one), .real(let other)), (.date(let one), .date(let other)): one.bitPattern == other.bitPattern
        case (.data(let one), .data(let other)): one == other
        case (.text(let one), .text(let other)): ExactText(one) == ExactText(other)
        case (.array(let one), .array(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)): one == other
        case (.reference(let one), .reference(let other)): one == other
        default: false
        }
    }
}
