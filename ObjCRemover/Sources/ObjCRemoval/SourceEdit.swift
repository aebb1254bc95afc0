// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// A range of a source's bytes, and its replacement.
struct SourceEdit {
    let range: Range<Int>
    let replacement: [UInt8]

    /// Replaces a piece of syntax with spaces, so that all code after it keeps its line and column.
    static func blank(_ syntax: some SyntaxProtocol, in source: [UInt8]) -> SourceEdit {
        let range =
            syntax.positionAfterSkippingLeadingTrivia.utf8Offset..<syntax.endPositionBeforeTrailingTrivia.utf8Offset
        return SourceEdit(range: range, replacement: source[range].map { isLineBreak($0) ? $0 : UInt8(ascii: " ") })
    }

    static func insertion(_ text: String, at position: AbsolutePosition) -> SourceEdit {
        SourceEdit(range: position.utf8Offset..<position.utf8Offset, replacement: Array(text.utf8))
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension [SourceEdit] {
    /// Applies the edits to a source. They must not overlap.
    func applied(to source: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        for edit in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += source[position..<edit.range.lowerBound] + edit.replacement
            position = edit.range.upperBound
        }
        return result + source[position...]
    }
}
