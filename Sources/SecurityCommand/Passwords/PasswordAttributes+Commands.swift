// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension PasswordAttributes {
    /// Adds an item, or with `updates` changes the one that is there.
    func add(_ password: Data?, _ access: IgnoredAccess, updates: Bool, to keychain: String?) throws {
        guard let key = try primaryKey() else {
            throw CommandFailure.usage("an account (-a) and a service or server (-s) are needed")
        }
        try access.check()
        try AddPassword(
            itemClass: Self.itemClass, primaryKey: key, attributes: attributes(), defaultLabel: defaultLabel,
            password: password, accessGroup: accessGroup, updates: updates
        ).run(in: KeychainList.target(keychain))
    }

    /// Deletes the first item that matches, after its attributes were shown.
    ///
    /// Another program's item is deleted only if its service or server is named, as by `SecItemDelete`.
    func deleteFirst(in keychains: [String]) throws {
        let attributes = try attributes()
        guard !attributes.isEmpty || accessGroup != nil else {
            throw CommandFailure.usage("an account (-a), a service or server (-s), or another attribute is needed")
        }
        let entry = try search().first(in: KeychainList.names(keychains), forDeletion: true)
        let owner = (attributes[kSecAttrService] ?? attributes[kSecAttrServer]) as? String ?? ""
        if entry.isOfAnotherProgram && owner.isEmpty {
            throw CommandFailure(
                "nothing was deleted: \(entry.description) belongs to another program; name its service or server (-s) to delete it"
            )
        }
        Console.write(AttributeDump.text(of: entry, itemClass: Self.itemClass))
        try Console.requireWritten()
        try entry.delete()
        CommandContext.current.note("password has been deleted.")
    }
}
