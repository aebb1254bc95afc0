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
        abstract: "Copy the items of one keychain into another, and optionally delete them from the first.",
        discussion: """
            The command reads each copy back. With --delete-source, it deletes an item from the first keychain only after it has \
            copied all items, and only if the copy still has the same content. You can run it again after an interruption.
            """)

    @Option(name: .long, help: "The keychain to copy from (as for backup --keychain).", completion: .maintainedKeychain)
    var from: String

    @Option(name: .long, help: "The keychain to copy to.", completion: .maintainedKeychain)
    var to: String

    @Flag(name: .long, help: "Delete the copied items from the first keychain.")
    var deleteSource = false

    @Flag(name: .long, help: "Replace existing items that have other contents.")
    var replace = false

    func run() throws {
        // The items are other programs', so neither folder is recorded as the place of this command's items.
        let source = try OpenedKeychain.open(from, "move", mustBeThere: true)
        KeychainOption.tellElsewhere(source, named: from)
        let target = try OpenedKeychain.open(to, "move", recordsFolder: false)
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
        for item in summary.damaged {
            Console.error(PrintedBytes.line("security: not moved: the item \(item.place) \(item.damage)"))
        }
        try TallyReport(summary.tally, replacing: replace).tell()
        if !summary.damaged.isEmpty { throw CommandFailure(nil) }
    }

    /// Programs that choose by themselves go where their items are.
    private func tellPrograms(_ accessGroups: Set<String>, from source: ChosenStore, to target: ChosenStore) {
        let isWritten = PlacedApplication.moved(accessGroups, to: target.itemPlace, from: source.itemPlace)
        if !isWritten {
            CommandContext.current.note(
                "the new store could not be recorded for programs: set SECITEM_STORE for them")
        }
        if case .embedded(let folder) = target.itemPlace, folder != KeychainPlace.ownFolder {
            CommandContext.current.note("programs find the items there with SECITEM_DIRECTORY=\(folder)")
        }
    }
}

extension ChosenStore {
    /// The place, if it is one that programs choose by themselves.
    fileprivate var itemPlace: ItemPlace? { place.flatMap { ItemPlace(text: $0) } }
}
