// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The output of a Mac's `security dump-keychain -d`: its passwords, with their attributes.
///
/// Such a dump lacks the usable content of keys and certificates, so they are refused by name.
package struct KeychainDump: ForeignSource {
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
        try checkItems()
        var refusals: [ImportRefusal] = []
        var entry: Entry?
        for line in text.lines {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.starts(with: Self.beginning) {
                try entry?.finish(&refusals, take)
                entry = Entry()
            } else {
                entry?.read(line)
            }
        }
        try entry?.finish(&refusals, take)
        return refusals
    }

    /// Refuses what is no dump, before anything of it is kept.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if other text comes before the first item, or there is none.
    ///   ``StoreError/Code/tooLarge`` for too many items.
    private func checkItems() throws(StoreError) {
        var isDump = false
        var emptyLines = 0
        try text.check { (line) throws(StoreError) in
            if line.starts(with: Self.beginning) {
                isDump = true
                return true
            }
            if isDump { return false }
            emptyLines += 1
            let isEmpty = line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")])
            guard isEmpty, emptyLines <= Self.mostEmptyLines else { throw Self.damaged }
            return false
        }
        guard isDump else { throw Self.damaged }
    }

    /// Those that somebody may have left before the first item.
    private static let mostEmptyLines = 100
    private static let beginning = Array("keychain: ".utf8)
    private static let damaged = StoreError(.corrupt, "the file is not what security dump-keychain -d writes")
}

/// One item of a dump.
private struct Entry {
    private var itemClass: String?
    private var values: [String: [UInt8]] = [:]
    private var secret: Secret?
    private var isData = false
    private var isDamaged = false

    mutating func read(_ line: ArraySlice<UInt8>) {
        if isData {
            guard secret == nil else { return }
            if let bytes = DumpedValue.bytes(line) { secret = Secret(bytes) } else { isDamaged = true }
        } else if line.elementsEqual("data:".utf8) {
            isData = true
        } else if line.starts(with: "class: ".utf8) {
            itemClass = DumpedValue.bytes(line.dropFirst(7)).map { String(decoding: $0, as: UTF8.self) }
        } else if line.starts(with: "    ".utf8) {
            readAttribute(line.drop { $0 == UInt8(ascii: " ") })
        }
    }

    /// `"acct"<blob>="anna"`, or `0x00000007 <blob>="label"`.
    private mutating func readAttribute(_ line: ArraySlice<UInt8>) {
        guard let bracket = line.firstIndex(of: UInt8(ascii: "<")),
            let equals = line[bracket...].firstIndex(of: UInt8(ascii: "="))
        else { return isDamaged = true }
        let isOutside: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }
        let end = line[..<bracket].lastIndex { !isOutside($0) } ?? line.startIndex
        let name = String(decoding: line[...end].drop(while: isOutside), as: UTF8.self)
        // Others are of no use, and there may be any number of them.
        guard Self.names.contains(name) else { return }
        let value = line[line.index(after: equals)...]
        if value.elementsEqual("<NULL>".utf8) { return }
        guard let bytes = DumpedValue.bytes(value) else { return isDamaged = true }
        values[name] = bytes
    }

    func finish(
        _ refusals: inout [ImportRefusal], _ take: (ForeignPassword) throws(StoreError) -> Void
    ) throws(StoreError) {
        let name = text("0x00000007") ?? text("svce") ?? text("srvr") ?? "an item without a name"
        guard itemClass == "genp" || itemClass == "inet" else {
            return refusals.append(ImportRefusal(name: name, reason: "it is not a password"))
        }
        guard !isDamaged else { return refusals.append(ImportRefusal(name: name, reason: "a line of it is damaged")) }
        guard let secret else {
            return refusals.append(ImportRefusal(name: name, reason: "its password is not in the dump"))
        }
        try take(password(secret))
    }

    private func password(_ secret: Secret) -> ForeignPassword {
        let isInternet = itemClass == "inet"
        let place: ForeignPassword.Place =
            isInternet ? .server(text("srvr") ?? "") : .service(text("svce") ?? "")
        var password = ForeignPassword(place, account: text("acct") ?? "", secret: secret)
        for (code, attribute) in Self.texts {
            guard let bytes = values[code], !Self.isNoCode(bytes, code) else { continue }
            password.attributes[attribute] =
                String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(Data(bytes))
        }
        for (code, attribute) in Self.numbers {
            if let bytes = values[code], bytes.count <= 4 {
                password.attributes[attribute] = .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
            }
        }
        for (code, attribute) in Self.dates { password.attributes[attribute] = date(code).map { .date($0) } }
        return password
    }

    /// For a missing protocol, a Mac shows a code of zeros.
    private static func isNoCode(_ bytes: [UInt8], _ code: String) -> Bool {
        ["ptcl", "atyp"].contains(code) && bytes.allSatisfy { $0 == 0 }
    }

    /// Text, or bytes if it is not text.
    private static let texts: [(String, ItemAttribute)] = [
        ("0x00000007", .label), ("acct", .account), ("svce", .service), ("srvr", .server), ("sdmn", .securityDomain),
        ("path", .path), ("ptcl", .protocol), ("atyp", .authenticationType), ("icmt", .comment),
        ("desc", .description), ("gena", .generic),
    ]
    private static let numbers: [(String, ItemAttribute)] = [
        ("port", .port), ("crtr", .creator), ("type", .type), ("invi", .isInvisible), ("nega", .isNegative),
    ]
    private static let dates: [(String, ItemAttribute)] = [("cdat", .creationDate), ("mdat", .modificationDate)]
    private static let names = Set((texts + numbers + dates).map(\.0))

    private func text(_ code: String) -> String? {
        values[code].map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `20260101120000Z`, and a zero.
    private func date(_ code: String) -> Date? {
        guard let bytes = values[code]?.prefix(15), bytes.count == 15, bytes.last == UInt8(ascii: "Z"),
            bytes.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let digits = bytes.dropLast().map { Int($0) - 48 }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        var components = DateComponents()
        components.calendar = Calendar(identifier: .gregorian)
        components.timeZone = TimeZone(secondsFromGMT: 0)
        (components.year, components.month, components.day) = (number(0..<4), number(4..<6), number(6..<8))
        (components.hour, components.minute, components.second) = (number(8..<10), number(10..<12), number(12..<14))
        return components.isValidDate ? components.date : nil
    }
}

/// A value as a dump shows it: `"text"`, or `0xDIGITS` followed by the text if it is not plain.
private enum DumpedValue {
    static func bytes(_ shown: ArraySlice<UInt8>) -> [UInt8]? {
        // Without digits and quotation marks, there are no bytes.
        if shown.isEmpty { return [] }
        let quote = UInt8(ascii: "\"")
        if shown.first == quote {
            // A quotation mark inside the text is shown unchanged.
            guard shown.count >= 2, shown.last == quote else { return nil }
            return Array(shown.dropFirst().dropLast())
        }
        guard shown.starts(with: "0x".utf8) else { return nil }
        return shown.dropFirst(2).prefix { $0 != UInt8(ascii: " ") }.decodedHexadecimal
    }
}
