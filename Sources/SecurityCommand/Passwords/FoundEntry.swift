// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// An item as a look-up gives it.
struct FoundEntry {
    let keychain: Keychain
    private let values: NSDictionary

    init?(_ object: Any?, in keychain: Keychain) {
        guard let values = object as? NSDictionary else { return nil }
        self.keychain = keychain
        self.values = values
    }

    /// The value under one of Apple's keys, or a four-letter code, which is the same.
    subscript(key: CFString) -> Any? { values[key] }

    var reference: Data? { values[kSecValuePersistentRef] as? Data }
    /// Its data, if the search asked for it.
    var data: Data? { values[kSecValueData] as? Data }

    /// Whether another program stored it in the Secret Service.
    var isOfAnotherProgram: Bool { reference.flatMap { PersistentReference($0) }?.isOfAnotherProgram ?? false }

    /// Whether the user has to prove something before its data is read. For an identity, this is about its certificate.
    var isGuarded: Bool {
        (values[kSecAttrAccessControl] as? SecAccessControl)?.requiresAuthentication ?? false
    }

    /// The most characters of an attribute that stand in ``description``. Longer ones would continue on the terminal's next line,
    /// where they could look like another question.
    private static let greatestLength = 60

    /// What a person knows the item by, for a question or a message: one line, whatever bytes the item has. Long names are
    /// shortened, and no name can end its own quotation marks.
    var description: String {
        name + (text(kSecAttrAccessGroup).map { " (\($0))" } ?? "")
    }

    /// What tells the item from others of the same service or server: what a person knows it by, and the rest of its key.
    var distinction: String {
        let rest: [(String, CFString)] = [
            ("protocol", kSecAttrProtocol), ("port", kSecAttrPort), ("path", kSecAttrPath),
            ("security domain", kSecAttrSecurityDomain), ("authentication type", kSecAttrAuthenticationType),
        ]
        let texts = rest.compactMap { name, key -> String? in
            guard let value = values[key], "\(value)" != "0", "\(value)" != "" else { return nil }
            return "\(name) \"\(PrintedBytes.quotation("\(value)", greatestLength: Self.greatestLength))\""
        }
        return ([description] + texts).joined(separator: ", ")
    }

    private var name: String {
        let service = text(kSecAttrService) ?? text(kSecAttrServer), account = text(kSecAttrAccount)
        return switch (service, account) {
        case (let service?, let account?): "the item \"\(service)\" of \"\(account)\""
        case (let name?, nil): "the item \"\(name)\""
        case (nil, let account?): "the item of \"\(account)\""
        case (nil, nil): text(kSecAttrLabel).map { "the item \"\($0)\"" } ?? "an item without a name"
        }
    }

    private func text(_ key: CFString) -> String? {
        guard let text = values[key] as? String, !text.isEmpty else { return nil }
        return PrintedBytes.quotation(text, greatestLength: Self.greatestLength)
    }
}
