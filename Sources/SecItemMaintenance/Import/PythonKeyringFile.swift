// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The file in which Python's `keyrings.alt` stores passwords without encryption (`keyring_pass.cfg`).
///
/// It has a section for each service and an option for each user. Both are escaped: a character that is not a letter or
/// digit becomes `_` and two hexadecimal digits. A value is base64, with line breaks. Encrypted files are refused,
/// because only `keyring` itself has their key.
package struct PythonKeyringFile: ForeignSource {
    private let content: Data

    /// - Throws: ``StoreError/Code/unavailable`` when the file cannot be read.
    package init(path: String) throws(StoreError) {
        content = try ImportedText.read(path)
    }

    package init(content: Data) {
        self.content = content
    }

    package func forEach(
        _ take: (ForeignPassword) throws(StoreError) -> Void
    ) throws(StoreError) -> [ImportRefusal] {
        guard let text = String(validating: content, as: UTF8.self) else { throw Self.damaged }
        var refusals: [ImportRefusal] = []
        for section in try Self.sections(of: text) {
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

    /// The sections of an INI file, with the lines of each value joined.
    private static func sections(of text: String) throws(StoreError) -> [Section] {
        var sections: [Section] = []
        var key: String?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if let first = line.first, first.isWhitespace {
                guard let key, !sections.isEmpty else { throw damaged }
                sections[sections.count - 1].entries[key, default: ""] += trimmed
            } else if trimmed.hasPrefix("["), trimmed.hasSuffix("]") {
                sections.append(Section(name: String(trimmed.dropFirst().dropLast())))
                key = nil
            } else {
                guard let separator = trimmed.firstIndex(where: { $0 == "=" || $0 == ":" }), !sections.isEmpty else {
                    throw damaged
                }
                let name = trimmed[..<separator].trimmingCharacters(in: .whitespaces)
                let value = trimmed[trimmed.index(after: separator)...].trimmingCharacters(in: .whitespaces)
                sections[sections.count - 1].entries[name] = value
                key = name
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
