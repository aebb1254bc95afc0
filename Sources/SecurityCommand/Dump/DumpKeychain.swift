// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

struct DumpKeychain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump-keychain", abstract: "Dump the contents of one or more keychains.",
        discussion: """
            Without keychains, dumps those of the search list. Items on Linux have no access control lists. Data that cannot \
            be read is named on standard error, and left out; as on a Mac, that is no failure.
            """)

    @Flag(name: .customShort("a"), help: "Dump access control list of items.")
    var showsAccess = false

    @Flag(name: .customShort("d"), help: "Dump (decrypted) data of items.")
    var showsData = false

    @Flag(name: .customShort("i"), help: "Edit access control lists (not supported).")
    var editsAccess = false

    @Flag(name: .customShort("r"), help: "Dump the raw (encrypted) data of items (not supported).")
    var showsRawData = false

    @Option(
        name: .customLong("access-group"), parsing: .unconditional, help: "Dump only the items of this access group.",
        transform: AccessGroupName.init(argument:))
    var accessGroup: AccessGroupName?

    @Argument(help: "The keychains.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        if editsAccess {
            throw CommandFailure.usage("-i is not supported: items on Linux have no access control lists")
        }
        if showsRawData { throw CommandFailure.usage("-r is not supported: the command does not show encrypted data") }
        var search = try KeychainSearch(keychains)
        var isAnyShown = false
        try search.forEach { keychain in
            for itemClass in [
                kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
            ] {
                if try dump(itemClass, of: keychain) > 0 { isAnyShown = true }
            }
        }
        // Of those that were named, each is meant.
        if let failure = search.failure, !isAnyShown || !keychains.isEmpty { throw failure }
    }

    /// - Returns: How many items were shown.
    private func dump(_ itemClass: CFString, of keychain: Keychain) throws -> Int {
        let search = ItemSearch(itemClass, accessGroup: accessGroup?.text)
        let entries = try search.all(in: keychain)
        // The alias of a certificate comes from its content. One that is damaged or guarded is printed without it.
        let free = itemClass == kSecClassCertificate ? entries.filter { !$0.isGuarded } : []
        let objects = try search.objects(of: free, among: entries, in: keychain)
        let read = showsData ? try search.readingUnguarded(entries, in: keychain) : [:]
        for entry in entries {
            let certificate = entry.reference.flatMap { objects[$0] } as? SecCertificate
            var text = AttributeDump.text(of: entry, itemClass: itemClass, certificate), failure: CommandFailure?
            if showsData {
                do {
                    let entry = try entry.reference.flatMap { read[$0] } ?? search.reading(entry)
                    text += "data:\n\(PrintedBytes.text(entry.data ?? Data()))\n"
                } catch let error as CommandFailure {
                    failure = error
                }
            }
            if showsAccess { text += "no access control for this item\n" }
            Console.write(text)
            if let message = failure?.message {
                Console.error("security: \(entry.description): \(PrintedBytes.line(message))")
            }
        }
        return entries.count
    }
}
