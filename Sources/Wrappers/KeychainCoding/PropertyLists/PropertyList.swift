// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property list as a value: what the wrappers read from an item and write to it.
///
/// Foundation's reader and writer on Linux end the process at some lists and values, so the wrappers use neither. Every
/// step here answers a failure instead: ``CodingFailure``.
package indirect enum PropertyList: Sendable {
    case boolean(Bool)
    case integer(Int64)
    /// A number above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since the first moment of 2001.
    case date(Double)
    case data(Data)
    case text(String)
    case array([PropertyList])
    case dictionary([ExactText: PropertyList])
    /// What refers to an object of a keyed archive, by its place in the table.
    case reference(Int)

    /// How deeply collections may be nested: deeper than any real value, and shallow enough for recursion.
    package static let greatestDepth = 200

    /// How many values a list may have when each is counted as often as it is used. A few bytes can describe a list in
    /// which everything is used twice, two hundred times over.
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

    /// The list as a binary property list.
    package var binary: Data { BinaryPropertyListWriter.data(of: self) }

    /// The list as a binary property list that was read once, and is the same list to the byte.
    ///
    /// - Throws: ``CodingFailure`` when it cannot be read again.
    package func checkedBinary() throws(CodingFailure) -> Data {
        let data = binary
        guard try PropertyList(binary: data) == self else { throw CodingFailure(.unsupported) }
        return data
    }
}

/// Why a value could not be written, or bytes could not be read. It never holds a value, which may be a secret.
package struct CodingFailure: Error, Hashable, Sendable {
    package enum Kind: Sendable {
        /// A value of a type that cannot be stored.
        case unsupported
        /// Values nested too deeply, or in a circle.
        case tooDeep
        /// Too many values, too many bytes for what they say, or too many members that Foundation cannot tell apart.
        case tooLarge
        /// Bytes that are not what they should be.
        case damaged
        /// An archive with an object of a class that may not come to life.
        case refusedClass
    }

    package let kind: Kind
    /// The name of the type that stood in the way, where there is one.
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
    /// Whether two lists are the same to the byte: texts by their bytes, real numbers and dates by their bits.
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
