// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A file of another program, read completely, and then line by line: a list of all its lines would take many times
/// the memory of the file.
struct ImportedText {
    /// No list of passwords is larger than 64 MiB.
    static let greatestSize = 64 << 20
    /// Nor does one have more passwords: a hundred times those of a busy person. Each takes memory of its own.
    static let greatestCount = 100_000
    /// The items of a Mac's dump have about 25 lines.
    static let greatestLineCount = 30 * greatestCount

    private let bytes: [UInt8]

    init(_ content: Data) {
        bytes = Array(content)
    }

    /// - Throws: ``StoreError/Code/unavailable`` when it cannot be read, ``StoreError/Code/tooLarge`` when it is too long.
    init(path: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw PlainFile.failure("\(path) cannot be opened") }
        defer { close(file) }
        let tooLong = StoreError(.tooLarge, "\(path) is too long for a file of this kind")
        var status = stat()
        // Before anything is read. A pipe has no size, so the bytes are counted, too.
        let size = fstat(file, &status) == 0 ? Int(status.st_size) : 0
        guard size <= Self.greatestSize else { throw tooLong }
        var content: [UInt8] = []
        content.reserveCapacity(size)
        while true {
            let part = try PlainFile.read(64 << 10, from: file)
            if part.isEmpty {
                guard !content.isEmpty else {
                    throw StoreError(.corrupt, "\(path) is empty", underlying: FileFailure())
                }
                break
            }
            content.append(contentsOf: part)
            guard content.count <= Self.greatestSize else { throw tooLong }
        }
        bytes = content
    }

    static let tooMany = StoreError(
        .tooLarge, "the file holds more than \(greatestCount) items or \(greatestLineCount) lines",
        underlying: FileFailure())

    /// The lines, without their ends. Bytes after the last end are a line, too.
    var lines: ImportedLines { ImportedLines(rest: bytes[...]) }

    /// Looks at each line before anything of the text is kept.
    ///
    /// - Parameter isItem: Whether an item begins with the line.
    /// - Throws: ``StoreError/Code/tooLarge`` for too many items or lines, and the errors of `isItem`.
    func check(_ isItem: (ArraySlice<UInt8>) throws(StoreError) -> Bool) throws(StoreError) {
        var lineCount = 0
        var count = 0
        for line in lines {
            lineCount += 1
            if try isItem(line) { count += 1 }
            guard count <= Self.greatestCount, lineCount <= Self.greatestLineCount else { throw Self.tooMany }
        }
    }

    var isUTF8: Bool { bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) != nil } }
}

/// The lines of a text, each made when it is asked for.
struct ImportedLines: Sequence, IteratorProtocol {
    var rest: ArraySlice<UInt8>

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[Swift.min(end + 1, rest.endIndex)...]
        return line
    }
}
