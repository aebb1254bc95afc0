import Foundation

/// One block of a file in PEM: RFC 7468, and RFC 1421 for what stands before the bytes.
struct PEMBlock {
    let label: String
    /// Lines such as `DEK-Info: AES-256-CBC,…`, with their line breaks.
    let headers: String
    let bytes: [UInt8]

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private static let greatestCount = 4096
    private static let greatestHeaders = 4096

    /// The blocks of a file; text around them is passed over. Nil if there is none at all.
    ///
    /// - Throws: `errSecDecode` for a block that has no end, or whose content is not in base 64; `errSecDataTooLarge` for more than
    ///   4096 blocks.
    static func all(in file: ArraySlice<UInt8>) throws(KeychainError) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        var lines = Lines(rest: file)
        while let line = lines.next() {
            guard line.starts(with: begin) else { continue }
            let label = line.dropFirst(begin.count)
            guard label.reversed().starts(with: dashes), label.count <= 64 else {
                throw .notDecodable("a block has no label")
            }
            guard blocks.count < greatestCount else {
                throw KeychainError(errSecDataTooLarge, "the file has more than \(greatestCount) blocks")
            }
            let text = String(decoding: label.dropLast(dashes.count), as: UTF8.self)
            blocks.append(try PEMBlock(label: text, &lines))
        }
        return blocks.isEmpty ? nil : blocks
    }

    /// The lines of a file, without empty ones.
    private struct Lines: IteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() -> ArraySlice<UInt8>? {
            let isBreak: (UInt8) -> Bool = { $0 == 0x0a || $0 == 0x0d }
            rest = rest.drop(while: isBreak)
            guard let end = rest.isEmpty ? nil : rest.firstIndex(where: isBreak) ?? rest.endIndex else { return nil }
            defer { rest = rest[end...] }
            return rest[..<end]
        }
    }

    private init(label: String, _ lines: inout Lines) throws(KeychainError) {
        self.label = label
        var headers = ""
        var text = Data()
        defer { text.resetBytes(in: text.startIndex..<text.endIndex) }
        while true {
            guard let line = lines.next() else { throw .notDecodable("a block has no end") }
            if line.starts(with: Self.end) { break }
            // Base 64 has no colon. A header goes on in lines that begin with a space.
            let isHeader = text.isEmpty && (line.contains(UInt8(ascii: ":")) || line.first == 0x20)
            guard isHeader else {
                text.append(contentsOf: line)
                continue
            }
            guard headers.utf8.count + line.count < Self.greatestHeaders else {
                throw .notDecodable("a block's headers are too long")
            }
            headers += String(decoding: line, as: UTF8.self) + "\n"
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw .notDecodable("a block is not in base 64")
        }
        self.headers = headers
        bytes = Array(data)
    }

    /// A block as text.
    static func text(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        let lines = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n".utf8)
    }
}
