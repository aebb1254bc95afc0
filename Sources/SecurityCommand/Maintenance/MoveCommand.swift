// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemSelection
import SecItemShim
import SecItemStore

/// `move`: the items of one keychain, copied into another.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Copy the items of one keychain into another, and delete them from the first if that is wanted.",
        discussion: """
            Each item is read back. With --delete-source, an item is deleted where it came from when all were copied, and only \
            if the other keychain has it as it is then. It may be run again after it was interrupted.
            """)

    @Option(name: .long, help: "The keychain that has the items: as --keychain of backup takes it.")
    var from: String

    @Option(name: .long, help: "The keychain that gets them.")
    var to: String

    @Flag(name: .long, help: "Delete what has arrived from the first keychain.")
    var deleteSource = false

    @Flag(name: .long, help: "Give items that are there with another content that of the first keychain.")
    var replace = false

    func run() throws {
        // Not this command's own items: nothing is written down of it.
        let source = try OpenedKeychain.open(from, "move", mustBeThere: true)
        let target = try OpenedKeychain.open(to, "move")
        var options = Move.Options()
        options.deletesSource = deleteSource
        options.replaces = replace
        let summary = try reporting("move") {
            try ProgressBar.during("moving") { progress in
                try Move.run(
                    from: source.store.innermost, to: target.store.innermost, options, progress: progress)
            }
        }
        if deleteSource {
            CommandContext.current.note("\(summary.deleted) items were deleted from \(from)")
            if summary.isComplete { tellPrograms(summary.accessGroups, from: source, to: target) }
        }
        for item in summary.damaged { Console.error("security: not moved: the item \(item.place) \(item.damage)") }
        try TallyReport(summary.tally).tell()
        if !summary.damaged.isEmpty { throw CommandFailure(nil) }
    }

    /// Programs that choose by themselves go where their items are.
    private func tellPrograms(_ accessGroups: Set<String>, from source: ChosenStore, to target: ChosenStore) {
        let isWritten =
            if target.isSecretService {
                MovedItems.areInSecretService(accessGroups)
            } else if source.isSecretService {
                MovedItems.areNotInSecretService(accessGroups)
            } else {
                true
            }
        if !isWritten {
            CommandContext.current.note(
                "where programs find their items could not be written down: set SECITEM_STORE for them")
        }
    }
}
