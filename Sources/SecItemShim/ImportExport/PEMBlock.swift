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

    /// The blocks of a file; text around them is passed over. Nil if there is none at all.
    ///
    /// - Throws: `errSecDecode` for a block that has no end, or whose content is not in base 64.
    static func all(in file: ArraySlice<UInt8>) throws(KeychainError) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        var lines = file.split(omittingEmptySubsequences: true) { $0 == 0x0a || $0 == 0x0d }[...]
        while let start = lines.firstIndex(where: { $0.starts(with: begin) }) {
            let label = lines[start].dropFirst(begin.count)
            guard label.reversed().starts(with: dashes), label.count <= 64,
                let stop = lines[start...].firstIndex(where: { $0.starts(with: end) })
            else { throw .notDecodable("a block has no end") }
            blocks.append(
                try PEMBlock(
                    label: String(decoding: label.dropLast(dashes.count), as: UTF8.self),
                    lines: lines[lines.index(after: start)..<stop]))
            lines = lines[lines.index(after: stop)...]
        }
        return blocks.isEmpty ? nil : blocks
    }

    private init(label: String, lines: ArraySlice<ArraySlice<UInt8>>) throws(KeychainError) {
        self.label = label
        // Base 64 has no colon. A header goes on in lines that begin with a space.
        let isHeader: (ArraySlice<UInt8>) -> Bool = { $0.contains(UInt8(ascii: ":")) || $0.first == 0x20 }
        headers = lines.prefix(while: isHeader).map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
        var text = Data(lines.drop(while: isHeader).joined())
        defer { text.resetBytes(in: text.startIndex..<text.endIndex) }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw .notDecodable("a block is not in base 64")
        }
        bytes = Array(data)
    }

    /// A block as text.
    static func text(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        let lines = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n".utf8)
    }
}
