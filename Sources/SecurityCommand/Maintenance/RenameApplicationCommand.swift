// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemShim

/// `rename-application`: an application's items, under another name.
struct RenameApplicationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename-application", abstract: "Move all items of an application to another identifier.",
        discussion: """
            Moves all items or none; none if one exists under the new identifier already. Fails if there are none. Items \
            keep their data, attributes and persistent references.
            """)

    @Argument(help: "The current identifier.")
    var old: String

    @Argument(help: "The new identifier.")
    var new: String

    func run() throws {
        guard !new.isEmpty, !old.isEmpty else { throw CommandFailure.usage("an identifier is empty") }
        guard !old.utf8.elementsEqual(new.utf8) else {
            throw CommandFailure.usage("both identifiers are \"\(new)\": nothing has to be moved")
        }
        LinuxKeychain.applicationIdentifier = new
        LinuxKeychain.accessGroups = nil
        do {
            let count = try LinuxKeychain.adopt(itemsOf: old)
            guard count > 0 else {
                throw CommandFailure(
                    "rename-application", errSecItemNotFound, reason: "no items belong to \"\(old)\"")
            }
            CommandContext.current.note("\(count) items were moved")
        } catch let failure as LinuxKeychain.Failure {
            throw CommandFailure("rename-application", failure.status, reason: failure.description)
        }
    }
}
