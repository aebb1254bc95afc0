// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One block of a file in PEM: RFC 7468, and RFC 1421 for the headers.
struct PEMBlock {
    let label: String
    /// Lines such as `DEK-Info: AES-256-CBC,…`, with their line breaks.
    let headers: String
    let content: WipedBytes

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private static let greatestCount = 4096
    private static let greatestHeaders = 4096

    /// The blocks of a file, without the text around them. Nil if the file has no block.
    ///
    /// - Throws: `errSecDecode` for a block without an end, with another label at its end, or with content that is not
    ///   in base 64. `errSecDataTooLarge` for more than 4096 blocks.
    static func all(in file: ArraySlice<UInt8>) throws(KeychainError) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        for block in PEMBlocks(file) {
            guard blocks.count < greatestCount else {
                throw KeychainError(errSecDataTooLarge, "the file has more than \(greatestCount) blocks")
            }
            blocks.append(try block.get())
        }
        return blocks.isEmpty ? nil : blocks
    }

    /// Reads the lines after the first line of a block.
    fileprivate static func block(
        after line: ArraySlice<UInt8>, _ lines: inout PEMBlocks.Lines
    ) throws(KeychainError) -> PEMBlock {
        let label = line.dropFirst(begin.count)
        guard label.reversed().starts(with: dashes), label.count <= 64 else {
            throw .notDecodable("a block has no label")
        }
        return try PEMBlock(label: String(decoding: label.dropLast(dashes.count), as: UTF8.self), &lines)
    }

    fileprivate static func begins(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: begin) }

    fileprivate init(label: String, _ lines: inout PEMBlocks.Lines) throws(KeychainError) {
        self.label = label
        var headers = ""
        // The capacity is reserved, because data that grows leaves copies behind.
        var text = Data(capacity: lines.rest.count)
        defer { text.wipe() }
        while true {
            var ahead = lines
            guard let line = ahead.next(), !line.starts(with: Self.begin) else {
                throw .notDecodable("a block has no end")
            }
            lines = ahead
            if line.starts(with: Self.end) {
                guard line.elementsEqual(Self.end + Array(label.utf8) + Self.dashes) else {
                    throw .notDecodable("a block ends as another began")
                }
                break
            }
            // Base 64 has no colon. A header continues in lines that begin with a space.
            let isHeader = text.isEmpty && (line.contains(UInt8(ascii: ":")) || line.first == 0x20)
            guard isHeader else {
                text.append(contentsOf: line.lazy.filter { !Self.isBlank($0) })
                continue
            }
            guard headers.utf8.count + line.count < Self.greatestHeaders else {
                throw .notDecodable("a block's headers are too long")
            }
            headers += String(decoding: line, as: UTF8.self) + "\n"
        }
        guard var data = Data(base64Encoded: text) else { throw .notDecodable("a block is not in base 64") }
        defer { data.wipe() }
        self.headers = headers
        content = data.withUnsafeBytes { WipedBytes($0.bindMemory(to: UInt8.self)) }
    }

    fileprivate static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// A block as text. It may be secret, so the caller wipes it.
    static func text(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        var data = Data(bytes)
        defer { data.wipe() }
        var lines = data.base64EncodedData(options: [.lineLength64Characters, .endLineWithLineFeed])
        defer { lines.wipe() }
        // The capacity is reserved, because an array that grows leaves copies behind.
        var text: [UInt8] = []
        text.reserveCapacity(lines.count + 2 * label.utf8.count + 64)
        text += Array("-----BEGIN \(label)-----\n".utf8)
        text += lines
        text += Array("\n-----END \(label)-----\n".utf8)
        return text
    }
}

/// The blocks of a file, one by one. A block that cannot be read gives its error.
struct PEMBlocks: Sequence, IteratorProtocol {
    private var lines: Lines

    init(_ file: ArraySlice<UInt8>) {
        lines = Lines(rest: file)
    }

    mutating func next() -> Result<PEMBlock, KeychainError>? {
        while let line = lines.next() {
            guard PEMBlock.begins(line) else { continue }
            do throws(KeychainError) {
                return .success(try PEMBlock.block(after: line, &lines))
            } catch {
                return .failure(error)
            }
        }
        return nil
    }

    /// The lines of a file, without empty lines and without blanks at the end of a line.
    fileprivate struct Lines: IteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() -> ArraySlice<UInt8>? {
            let isBreak: (UInt8) -> Bool = { $0 == 0x0a || $0 == 0x0d }
            rest = rest.drop(while: isBreak)
            guard let end = rest.isEmpty ? nil : rest.firstIndex(where: isBreak) ?? rest.endIndex else { return nil }
            defer { rest = rest[end...] }
            let last = rest[..<end].lastIndex { !PEMBlock.isBlank($0) } ?? rest.startIndex
            return rest[...last]
        }
    }
}
