// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

// The other process in tests of crashes and races. Each command prints a line for each thing that it has done,
// so that the test knows what must be stored.

func record(_ account: String, _ secret: Data, accessible: Accessible = .whenUnlocked) -> ItemRecord {
    ItemRecord(
        reference: PersistentReference(itemClass: .genericPassword),
        attributes: [
            .service: .string("probe"), .account: .string(account), .accessGroup: .string("group"),
            .accessible: .string(accessible.rawValue), .synchronizable: .integer(0), .tombstone: .integer(0),
            .label: .string("label of \(account)"), .creationDate: .date(Date()), .modificationDate: .date(Date()),
        ],
        secrets: [.valueData: Secret(secret)]
    )
}

/// The same with constraints that a passphrase satisfies.
func guardedRecord(_ account: String, _ secret: Secret) throws -> ItemRecord {
    guard let constraints = AccessConstraints(flags: .devicePasscode) else { throw StoreError(.io, "no constraints") }
    let free = record(account, Data())
    return ItemRecord(
        reference: free.reference,
        attributes: free.attributes.merging([.accessControl: .data(constraints.encoded)]) { $1 },
        secrets: [.valueData: secret])
}

func filter(_ account: String? = nil) -> RecordFilter {
    var attributes: [ItemAttribute: AttributeValue] = [.service: .string("probe")]
    attributes[.account] = account.map(AttributeValue.string)
    return RecordFilter(itemClass: .genericPassword, attributes: attributes, accessGroups: ["group"])
}

func find(_ store: SQLiteStore, _ account: String? = nil) throws -> [ItemRecord] {
    try store.records(matching: filter(account), parts: [.attributes, .secrets], limit: nil, interaction: .allowed)
}

func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    // Prints a line in one write, so that it is complete if the process dies afterwards.
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
}

func failure(_ text: String) {
    say("failed: \(text)")
    _exit(1)
}

/// Adds, changes and deletes items until it is killed.
func keepWriting(_ store: SQLiteStore, _ run: String) throws {
    for number in 0... {
        let account = "\(run).\(number)"
        // Some secrets are longer than a page, and some much longer.
        let size = [16, 600, 9_000, 120_000][number % 4]
        let secret = Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
        try store.insert(record(account, secret), interaction: .allowed)
        say("added \(account) \(size)")
        if number % 3 == 2 {
            let old = "\(run).\(number - 1)"
            let oldSize = [16, 600, 9_000, 120_000][(number - 1) % 4]
            let twice = Data(repeating: UInt8(truncatingIfNeeded: number - 1), count: oldSize * 2)
            say("changing \(old)")
            let changes = RecordChanges(
                attributes: [.label: .string("changed")], secrets: [.valueData: Secret(twice)])
            _ = try store.update(matching: filter(old), applying: changes, interaction: .allowed)
            say("changed \(old) \(oldSize) \(oldSize * 2)")
        }
        if number % 5 == 4 {
            let old = "\(run).\(number - 4)"
            say("deleting \(old)")
            _ = try store.delete(matching: filter(old), interaction: .allowed)
            say("deleted \(old)")
        }
    }
}

/// Adds the same items as other processes, starting at the same time.
func race(_ store: SQLiteStore, _ count: Int) throws {
    say("ready")
    _ = readLine()
    for number in 0..<count {
        do throws(StoreError) {
            try store.insert(record("\(number)", Data("\(getpid())".utf8)), interaction: .allowed)
            say("added \(number)")
        } catch {
            if error.code != .duplicate { throw error }
        }
    }
}

func makeFixture(_ store: SQLiteStore) throws {
    for accessible in Accessible.allCases where accessible != .untilReboot {
        if accessible == .whenPasscodeSetThisDeviceOnly && !store.isPassphraseProtected { continue }
        let code = accessible.rawValue
        try store.insert(
            record("account \(code)", Data("secret \(code)".utf8), accessible: accessible), interaction: .allowed)
    }
    let server = ItemRecord(
        reference: PersistentReference(itemClass: .internetPassword),
        attributes: [
            .server: .string("example.org"), .account: .data(Data("account".utf8)), .port: .integer(8443),
            .accessGroup: .string("group"), .accessible: .string("ak"), .path: .string("/Ünïcode/\u{1F511}"),
            .creationDate: .date(Date(timeIntervalSinceReferenceDate: 0.123_456_789)), .creator: .real(0.5),
        ],
        secrets: [
            .valueData: Secret(Data("server's secret".utf8)), .extraNotes: Secret(Data("notes".utf8)),
        ]
    )
    try store.insert(server, interaction: .allowed)
    if ProcessInfo.processInfo.environment["PROBE_GUARDS"] != nil {
        try store.insert(
            guardedRecord("account guarded", Secret(Data("secret guarded".utf8))), interaction: .allowed)
    }
}

@main
enum StoreProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { return failure("StoreProbe command folder …") }
        countSyncsOfSQLite()
        do {
            try run(arguments[1], StoreLocation(folder: arguments[2]), arguments.count > 3 ? arguments[3] : "")
        } catch {
            failure("\(error)")
        }
    }

    private static func run(_ command: String, _ location: StoreLocation, _ argument: String) throws {
        switch command {
        case "write": try keepWriting(openStore(location), argument)
        case "race": try race(openStore(location), Int(argument) ?? 0)
        case "make-fixture": try makeFixture(openStore(location))
        case "find": try tryToFind(location, argument)
        case "set-passphrase":
            let current = ProcessInfo.processInfo.environment["PROBE_PASSPHRASE"].map { Secret(Data($0.utf8)) }
            let new = argument.isEmpty ? nil : Secret(Data(argument.utf8))
            try openStore(location).setPassphrase(new, current: current, cost: .lowest)
        case "rekey": say("sealed \(try openStore(location).rekey())")
        case "make": _ = try openStore(location)
        case "add": try addAndWait(openStore(location), Int(argument) ?? 0)
        case "count":
            let all = RecordFilter(itemClass: .genericPassword)
            let found = try openStore(location).records(matching: all, parts: [], limit: nil, interaction: .allowed)
            say("\(found.count)")
        case "count-syncs": try countSyncs(openStore(location))
        case "count-descriptors": try countDescriptors(location)
        case "no-descriptors": try useWithoutDescriptors(location)
        case "empty-root": makeIDsInEmptyRoot(location)
        case "size-limit": try addUnderSizeLimit(location, Int(argument) ?? 0)
        case "memory": try lookAtMemory(location, argument)
        case "key-memory": lookAtKeys(argument)
        case "closed-standard": try writeWithoutStandardDescriptors(location, argument)
        case "no-locked-memory": try useWithoutLockedMemory(location)
        case "quota": try useBeyondQuota(location, argument)
        default: failure("no such command")
        }
    }

    private static func openStore(_ location: StoreLocation) throws -> SQLiteStore {
        guard let passphrase = ProcessInfo.processInfo.environment["PROBE_PASSPHRASE"] else {
            return try SQLiteStore(location: location, cache: .none)
        }
        let source = PassphraseSource.closure { Secret(Data(passphrase.utf8)) }
        let protector = PassphraseProtector(sources: [source], cost: .lowest)
        return try SQLiteStore(location: location, protector: protector, cache: .none)
    }

    /// Looks up without a passphrase, with the cached keys.
    private static func tryToFind(_ location: StoreLocation, _ account: String) throws {
        let folder = ProcessInfo.processInfo.environment["PROBE_CACHE"]
        let store = try SQLiteStore(
            location: location, cache: folder.map { FirstUnlockCache.folder($0) } ?? .kernelKeyring)
        do {
            say("found \(try find(store, account).count)")
        } catch let error as StoreError {
            say(error.code.name)
        }
    }
}
