// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// One line of an item's attributes.
struct AttributeRow: Sendable {
    /// How the value is printed.
    enum Format: String, Sendable {
        case blob, uint32, sint32, timedate
    }

    /// What stands before the value: a four-letter code, or a number.
    let tag: String
    let format: Format
    /// The attribute, by its four-letter code; nil for what no item has here.
    let attribute: String?

    init(_ code: String, _ format: Format, _ attribute: String? = nil) {
        (tag, self.format, self.attribute) = ("\"\(code)\"", format, attribute ?? code)
    }

    init(number: UInt8, _ format: Format, _ attribute: String?) {
        let digits = String(number, radix: 16, uppercase: true)
        (tag, self.format, self.attribute) = ("0x000000\(digits.count == 1 ? "0" : "")\(digits) ", format, attribute)
    }
}

extension AttributeRow {
    // One attribute a row, in the order of macOS, with the access group (`agrp`), which has no place there.

    // swift-format-ignore
    static let genericPassword = [
        AttributeRow(number: 7, .blob, "labl"),
        AttributeRow(number: 8, .blob, "alis"),
        AttributeRow("acct", .blob),
        AttributeRow("agrp", .blob),
        AttributeRow("cdat", .timedate),
        AttributeRow("crtr", .uint32),
        AttributeRow("cusi", .sint32),
        AttributeRow("desc", .blob),
        AttributeRow("gena", .blob),
        AttributeRow("icmt", .blob),
        AttributeRow("invi", .sint32),
        AttributeRow("mdat", .timedate),
        AttributeRow("nega", .sint32),
        AttributeRow("prot", .blob),
        AttributeRow("scrp", .sint32),
        AttributeRow("svce", .blob),
        AttributeRow("type", .uint32),
    ]

    // swift-format-ignore
    static let internetPassword = [
        AttributeRow(number: 7, .blob, "labl"),
        AttributeRow(number: 8, .blob, "alis"),
        AttributeRow("acct", .blob),
        AttributeRow("agrp", .blob),
        AttributeRow("atyp", .blob),
        AttributeRow("cdat", .timedate),
        AttributeRow("crtr", .uint32),
        AttributeRow("cusi", .sint32),
        AttributeRow("desc", .blob),
        AttributeRow("icmt", .blob),
        AttributeRow("invi", .sint32),
        AttributeRow("mdat", .timedate),
        AttributeRow("nega", .sint32),
        AttributeRow("path", .blob),
        AttributeRow("port", .uint32),
        AttributeRow("prot", .blob),
        AttributeRow("ptcl", .uint32),
        AttributeRow("scrp", .sint32),
        AttributeRow("sdmn", .blob),
        AttributeRow("srvr", .blob),
        AttributeRow("type", .uint32),
    ]

    // swift-format-ignore
    static let certificate = [
        AttributeRow("agrp", .blob),
        AttributeRow("alis", .blob),
        AttributeRow("cenc", .uint32),
        AttributeRow("ctyp", .uint32),
        AttributeRow("hpky", .blob, "pkhh"),
        AttributeRow("issu", .blob, "issr"),
        AttributeRow("labl", .blob),
        AttributeRow("skid", .blob),
        AttributeRow("snbr", .blob, "slnr"),
        AttributeRow("subj", .blob),
    ]

    // swift-format-ignore
    static let key = [
        AttributeRow(number: 0x00, .uint32, "kcls"),
        AttributeRow(number: 0x01, .blob,   "labl"),
        AttributeRow(number: 0x02, .blob,   "alis"),
        AttributeRow(number: 0x03, .uint32, "perm"),
        AttributeRow(number: 0x04, .uint32, "priv"),
        AttributeRow(number: 0x05, .uint32, "modi"),
        AttributeRow(number: 0x06, .blob,   "klbl"),
        AttributeRow(number: 0x07, .blob,   "atag"),
        AttributeRow(number: 0x08, .blob,   nil),
        AttributeRow(number: 0x09, .uint32, "type"),
        AttributeRow(number: 0x0A, .uint32, "bsiz"),
        AttributeRow(number: 0x0B, .uint32, "esiz"),
        AttributeRow(number: 0x0C, .blob,   "sdat"),
        AttributeRow(number: 0x0D, .blob,   "edat"),
        AttributeRow(number: 0x0E, .uint32, "sens"),
        AttributeRow(number: 0x0F, .uint32, "asen"),
        AttributeRow(number: 0x10, .uint32, "extr"),
        AttributeRow(number: 0x11, .uint32, "next"),
        AttributeRow(number: 0x12, .uint32, "encr"),
        AttributeRow(number: 0x13, .uint32, "decr"),
        AttributeRow(number: 0x14, .uint32, "drve"),
        AttributeRow(number: 0x15, .uint32, "sign"),
        AttributeRow(number: 0x16, .uint32, "vrfy"),
        AttributeRow(number: 0x17, .uint32, "snrc"),
        AttributeRow(number: 0x18, .uint32, "vyrc"),
        AttributeRow(number: 0x19, .uint32, "wrap"),
        AttributeRow(number: 0x1A, .uint32, "unwp"),
        AttributeRow("agrp", .blob),
    ]
}
