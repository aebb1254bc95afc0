// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// The options of one class of passwords that say what an item is like.
protocol PasswordAttributes: ParsableArguments {
    static var itemClass: CFString { get }
    /// The attributes that were given, under Apple's keys.
    func attributes() throws -> [CFString: Any]
    /// The attributes that tell items apart, with what a new item gets for those that were not given. Nil where one that must
    /// be given was not.
    func primaryKey() throws -> [CFString: Any]?
    /// What an item is called when nobody says.
    var defaultLabel: String? { get }
    var accessGroup: String? { get }
}

extension PasswordAttributes {
    /// The items that are meant.
    func search() throws -> ItemSearch {
        ItemSearch(Self.itemClass, try attributes(), accessGroup: accessGroup)
    }
}

/// What items of both classes have.
struct CommonAttributes: ParsableArguments {
    @Option(
        name: .shortJoined("c"), parsing: .unconditional, help: "Creator (four-character code).",
        transform: FourCharacterCode.init(argument:))
    var creator: FourCharacterCode?

    @Option(
        name: .shortJoined("C"), parsing: .unconditional, help: "Type (four-character code).",
        transform: FourCharacterCode.init(argument:))
    var type: FourCharacterCode?

    @Option(name: .shortJoined("D"), parsing: .unconditional, help: "Kind.")
    var kind: String?

    @Option(name: .shortJoined("j"), parsing: .unconditional, help: "Comment.")
    var comment: String?

    @Option(name: .shortJoined("l"), parsing: .unconditional, help: "Label.")
    var label: String?

    @Option(
        name: .customLong("access-group"), parsing: .unconditional,
        help: "The access group: the application that the item belongs to (not on a Mac).",
        transform: AccessGroupName.init(argument:))
    var accessGroup: AccessGroupName?

    var attributes: [CFString: Any] {
        let given: [CFString: Any?] = [
            kSecAttrCreator: creator?.number, kSecAttrType: type?.number, kSecAttrDescription: kind,
            kSecAttrComment: comment, kSecAttrLabel: label,
        ]
        return given.compactMapValues { $0 }
    }
}

extension NameSpecification {
    /// An option of one letter, whose value may follow without a blank, as `getopt` has it.
    static func shortJoined(_ letter: Character) -> NameSpecification {
        [.customShort(letter, allowingJoined: true)]
    }
}
