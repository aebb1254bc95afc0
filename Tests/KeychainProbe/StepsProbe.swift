// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security

/// Calls of an application that concern the whole store. Each step prints a line.
enum StepsProbe {
    /// - Parameter steps: Commands. A command that takes a value has `=` and the value after it.
    static func run(_ steps: [String]) {
        for step in steps {
            let parts = step.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let given = parts.count > 1 ? parts[1] : nil
            do { say(try perform(parts[0], given)) } catch let failure as LinuxKeychain.Failure {
                say("\(failure.status)")
            } catch {
                say("\(error)")
            }
        }
    }

    private static func perform(_ command: String, _ given: String?) throws -> String {
        let bytes = given.map { Data($0.utf8) }
        switch command {
        case "use-memory": LinuxKeychain.use(.inMemory)
        case "use-lockless": LinuxKeychain.use(.custom(LocklessStore()))
        case "use-embedded":
            LinuxKeychain.use(.embedded(directory: given.map { URL(fileURLWithPath: $0) }, passphrase: .none))
        case "lock": try LinuxKeychain.lock()
        case "unlock": try LinuxKeychain.unlock(passphrase: bytes)
        case "locked": return "\(try LinuxKeychain.isLocked)"
        case "passphrase": try LinuxKeychain.setPassphrase(bytes)
        case "passphrase-after":
            let both = (given ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Data($0.utf8) }
            try LinuxKeychain.setPassphrase(both[1].isEmpty ? nil : both[1], current: both[0])
        case "groups": LinuxKeychain.accessGroups = given?.split(separator: ",").map(String.init)
        case "own-groups": return LinuxKeychain.accessGroups?.joined(separator: ",") ?? "nil"
        case "add": return "\(add(given ?? ""))"
        case "find": return "\(find(given ?? ""))"
        case "find-in":
            let both = (given ?? "").split(separator: ",").map(String.init)
            return "\(find(both[0], [kSecAttrAccessGroup: both[1]]))"
        default: return "what is \(command)?"
        }
        return "done"
    }
}

/// An application's own store, which cannot be locked.
private final class LocklessStore: KeychainStore {
    private let base = InMemoryStore()

    var summary: String { "without a lock" }
    var isPassphraseProtected: Bool { false }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try base.insert(record, interaction: interaction)
    }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try base.update(steps, interaction: interaction)
    }

    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try base.delete(steps, interaction: interaction)
    }
}
