// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

// macOS's file-based keychain, for which most programs in C were written, takes forms that the data protection keychain refuses.
// They become forms of the data protection keychain before anything else reads them.

extension CallerDictionary {
    /// With data in place of a text as `kSecValueData`: its UTF-8.
    var withDataForText: CallerDictionary {
        mapValues { key, value in
            if key == .kSecValueData, case .string(let text) = value { .data(Data(text.utf8) as NSData) } else { value }
        }
    }

    /// With a boolean in place of a number that says whether a result is wanted.
    var withBooleansForNumbers: CallerDictionary {
        mapValues { key, value in
            guard ReturnParser.knows(key) else { return value }
            return switch value {
            case .integer(let number): .boolean(number != 0)
            case .real(let number): .boolean(number != 0)
            default: value
            }
        }
    }

    /// Changes without `kSecClass`, if it repeats the query's.
    func without(_ itemClass: ItemClass) -> CallerDictionary {
        guard self[.kSecClass]?.text == CallerText(itemClass.rawValue) else { return self }
        return CallerDictionary(
            entries: entries.filter { if case .string(.kSecClass) = $0.key { false } else { true } })
    }

    private func mapValues(_ body: (CallerText, CallerValue) -> CallerValue) -> CallerDictionary {
        CallerDictionary(
            entries: entries.map { (key, value) in
                if case .string(let text) = key { (key, body(text, value)) } else { (key, value) }
            })
    }
}

extension ResultShape {
    /// A list of references to passwords, which have no objects here: their persistent references, which `kSecMatchItemList`
    /// takes as well. Nil if something else was asked for.
    func references(to items: [FoundItem]) -> NSArray? {
        guard isArray, kinds == .reference,
            items.allSatisfy({ [.genericPassword, .internetPassword].contains($0.itemClass) })
        else { return nil }
        return items.map(\.persistentReference) as NSArray
    }
}
