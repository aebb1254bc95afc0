// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemShim
import SecItemStore

/// `check`: whether every item of a keychain can be read.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check every item of a keychain, and list those that are damaged.",
        discussion: "Exits with 1 if an item is damaged. Changes no item and shows no secret.")

    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let store = try keychain.open("check", mustBeThere: true).store
        let report = try reporting("check") {
            try ProgressBar.during("checking") { try Self.run(store, $0) }
        }
        for itemClass in ItemClass.stored {
            Console.write("\(itemClass.plural): \(report.items[itemClass] ?? 0)\n")
        }
        for item in report.damaged {
            let name = item.reference.map { "\($0.itemClass.rawValue) \($0.uuid) " } ?? ""
            Console.write(PrintedBytes.line("damaged: \(name)\(item.place): it \(item.damage)") + "\n")
        }
        if let damage = report.damage { Console.write(PrintedBytes.line("damaged: \(damage)") + "\n") }
        if report.locked > 0 { Console.write("locked, and not checked: \(report.locked)\n") }
        if !report.isInOrder { throw CommandFailure(nil) }
        // Nobody is to believe that all is well.
        if report.locked > 0 { throw CommandFailure("check", errSecInteractionNotAllowed) }
    }

    /// A Secret Service that nobody unlocks has its locked items counted.
    private static func run(
        _ store: any KeychainStore, _ progress: MaintenanceProgress
    ) throws(StoreError) -> StoreCheckup.Report {
        do throws(StoreError) {
            return try StoreCheckup.run(store, progress: progress)
        } catch {
            guard error.code == .locked else { throw error }
            return try StoreCheckup.run(store, interaction: .skipped, progress: progress)
        }
    }
}
