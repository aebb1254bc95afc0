// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The file in which Python's `keyrings.alt` stores passwords without encryption (`keyring_pass.cfg`).
///
/// It has a section for each service and an option for each user. Both are escaped: a character that is not a letter or
/// digit becomes `_` and two hexadecimal digits. A value is base64, with line breaks. Encrypted files are refused,
/// because only `keyring` itself has their key.
package struct PythonKeyringFile: ForeignSource {
    private let text: ImportedText

    /// - Throws: ``StoreError/Code/unavailable`` when the file cannot be read, ``StoreError/Code/tooLarge`` when it is
    ///   too long.
    package init(path: String) throws(StoreError) {
        text = try ImportedText(path: path)
    }

    package init(content: Data) {
        text = ImportedText(content)
    }

    package func forEach(
        _ take: (ForeignPassword) throws(StoreError) -> Void
    ) throws(StoreError) -> [ImportRefusal] {
        try checkLines()
        var refusals: [ImportRefusal] = []
        for section in try sections() {
            guard let service = Self.unescaped(section.name) else {
                refusals.append(ImportRefusal(name: section.name, reason: "its name is not escaped as keyring does it"))
                continue
            }
            if service == "keyring-setting" || section.entries["password reference"] != nil {
                throw StoreError(.unsupported, "the file is encrypted: read it with keyring itself")
            }
            for (name, value) in section.entries.sorted(by: { $0.key < $1.key }) {
                guard let account = Self.unescaped(name), let data = Data(base64Encoded: value) else {
                    refusals.append(ImportRefusal(name: "\(service), \(name)", reason: "its password is not in base64"))
                    continue
                }
                try take(ForeignPassword(.service(service), account: account, secret: Secret(wiping: consume data)))
            }
        }
        return refusals
    }

    private struct Section {
        let name: String
        var entries: [String: String] = [:]
    }

    private static let damaged = StoreError(.corrupt, "the file is not one of Python's keyrings")

    /// What a line of an INI file says.
    private enum Line {
        case nothing
        case section(String)
        case entry(String, String)
        /// More of the value before.
        case continuation(String)

        init(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
            // Without making texts of it: there may be any number of empty lines.
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
            if bytes.allSatisfy(isBlank) {
                self = .nothing
                return
            }
            let line = String(decoding: bytes, as: UTF8.self)
            let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix(";") {
                self = .nothing
            } else if let first = line.first, first.isWhitespace {
                self = .continuation(trimmed)
            } else if trimmed.hasPrefix("["), trimmed.hasSuffix("]") {
                self = .section(String(trimmed.dropFirst().dropLast()))
            } else {
                guard let separator = trimmed.firstIndex(where: { $0 == "=" || $0 == ":" }) else { throw damaged }
                self = .entry(
                    trimmed[..<separator].trimmingCharacters(in: .whitespaces),
                    trimmed[trimmed.index(after: separator)...].trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// Refuses what is no such file, or one with too many passwords, before anything of it is kept.
    private func checkLines() throws(StoreError) {
        guard text.isUTF8 else { throw Self.damaged }
        try text.check { (line) throws(StoreError) in
            switch try Line(line) {
            case .section, .entry: true
            case .nothing, .continuation: false
            }
        }
    }

    /// The sections, with the lines of each value joined.
    private func sections() throws(StoreError) -> [Section] {
        var sections: [Section] = []
        var key: String?
        for line in text.lines {
            switch try Line(line) {
            case .nothing: continue
            case .section(let name):
                sections.append(Section(name: name))
                key = nil
            case .entry(let name, let value):
                guard !sections.isEmpty else { throw Self.damaged }
                sections[sections.count - 1].entries[name] = value
                key = name
            case .continuation(let more):
                guard let key, !sections.isEmpty else { throw Self.damaged }
                sections[sections.count - 1].entries[key, default: ""] += more
            }
        }
        return sections
    }

    /// Reverses keyring's escaping: an underscore and two digits are a byte.
    private static func unescaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = rest.prefix(2).decodedHexadecimal else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
