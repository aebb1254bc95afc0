// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemRecord {
    /// The text that Seahorse and other programs show: the item's label, or else a readable substitute.
    var displayedLabel: String {
        let own = text(.label)
        let label = own.isEmpty ? describingLabel : own
        return String(String.UnicodeScalarView(label.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    private var describingLabel: String {
        switch itemClass {
        case .genericPassword: joined(text(.account), " for ", text(.service), else: "Password")
        case .internetPassword: joined(text(.account), "@", text(.server), else: "Internet password")
        case .certificate, .identity: "Certificate"
        case .key: joined("Key", " ", text(.applicationTag), else: "Key")
        }
    }

    private func joined(_ first: String, _ separator: String, _ second: String, else fallback: String) -> String {
        let parts = [first, second].filter { !$0.isEmpty }
        return parts.isEmpty ? fallback : parts.joined(separator: separator)
    }

    private func text(_ attribute: ItemAttribute) -> String {
        switch attributes[attribute] {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self) ?? ""
        default: ""
        }
    }
}

extension AttributeValue {
    /// Whether every service keeps the value as the label of an item. A label has no type, so bytes become text.
    var isDisplayable: Bool {
        let text: String? =
            switch self {
            case .string(let text): text
            case .data(let bytes): String(validating: bytes, as: UTF8.self)
            default: nil
            }
        return text.map { !$0.isEmpty && !ValueText.isFragile($0) } ?? false
    }
}
