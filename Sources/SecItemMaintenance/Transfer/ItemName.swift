// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What a person knows an item by. It has no secret in it.
package struct ItemName: Sendable, Equatable {
    /// The class, the attributes that people look items up by, and the access group.
    package let text: String

    init(_ record: ItemRecord) {
        let parts = Self.attributes(of: record.itemClass).compactMap { name, attribute -> String? in
            guard let text = record.attributes[attribute].flatMap(Self.text), !text.isEmpty else { return nil }
            return "\(name) \"\(text)\""
        }
        text = ([record.itemClass.singular] + parts).joined(separator: ", ")
    }

    private static func attributes(of itemClass: ItemClass) -> [(name: String, attribute: ItemAttribute)] {
        switch itemClass {
        case .genericPassword: [("service", .service), ("account", .account), ("access group", .accessGroup)]
        case .internetPassword: [("server", .server), ("account", .account), ("access group", .accessGroup)]
        case .certificate, .key, .identity: [("label", .label), ("access group", .accessGroup)]
        }
    }

    /// Other programs may have stored text as data.
    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self) ?? "0x" + bytes.hexadecimal
        case .integer, .real, .date: nil
        }
    }
}

extension ItemClass {
    /// The name of one item of the class, for a person.
    var singular: String { words.one }

    /// The name of the class's items, for a person.
    package var plural: String { words.several }

    private var words: (one: String, several: String) {
        switch self {
        case .genericPassword: ("generic password", "generic passwords")
        case .internetPassword: ("internet password", "internet passwords")
        case .certificate: ("certificate", "certificates")
        case .key: ("key", "keys")
        case .identity: ("identity", "identities")
        }
    }
}
