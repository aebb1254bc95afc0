// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes that decide whether two attribute values are equal.
///
/// Text equals data with the same bytes. Case and Unicode form matter. A number never equals text. Two values are equal
/// exactly if their match keys are equal, so a store may index these bytes, or a keyed digest of them, instead of the
/// values.
public struct MatchKey: Hashable, Sendable {
    /// A type tag followed by the value's bytes.
    public let bytes: [UInt8]

    init(_ value: AttributeValue) {
        switch value {
        case .string(let text): bytes = Tag.bytes.followed(by: text.utf8)
        case .data(let data): bytes = Tag.bytes.followed(by: data)
        case .integer(let number): bytes = Tag.integer.followed(byWord: UInt64(bitPattern: number))
        case .real(let number):
            if let integer = Int64(exactly: number) {
                bytes = Tag.integer.followed(byWord: UInt64(bitPattern: integer))
            } else {
                bytes = Tag.real.followed(byWord: number.bitPattern)
            }
        case .date(let date): bytes = Tag.date.followed(byWord: date.timeIntervalSinceReferenceDate.bitPattern)
        }
    }

    private enum Tag: UInt8 {
        case bytes = 0
        case integer = 1
        case real = 2
        case date = 3

        func followed(by content: some Collection<UInt8>) -> [UInt8] {
            var result: [UInt8] = []
            result.reserveCapacity(content.count + 1)
            result.append(rawValue)
            result.append(contentsOf: content)
            return result
        }

        func followed(byWord word: UInt64) -> [UInt8] {
            withUnsafeBytes(of: word.bigEndian) { followed(by: $0) }
        }
    }
}
