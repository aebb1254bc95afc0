// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `check`: whether every item of a keychain can be read.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look at every item of a keychain, and name those that are damaged.",
        discussion: "The exit status is 1 when something is damaged. Nothing is changed, and no secret is shown.")

    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let store = try keychain.open("check", mustBeThere: true).store
        let report = try reporting("check") {
            try ProgressBar.during("checking") { try StoreCheckup.run(store, progress: $0) }
        }
        for itemClass in ItemClass.stored {
            Console.write("\(itemClass.plural): \(report.items[itemClass] ?? 0)\n")
        }
        for item in report.damaged {
            let name = item.reference.map { "\($0.itemClass.rawValue) \($0.uuid) " } ?? ""
            Console.write("damaged: \(name)\(item.place): it \(item.damage)\n")
        }
        if let damage = report.damage { Console.write("damaged: \(damage)\n") }
        if !report.isInOrder { throw CommandFailure(nil) }
    }
}
