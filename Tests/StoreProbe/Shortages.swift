// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

// Processes that lack something: descriptors, /dev, disk space.

/// Adds items and waits until it is killed or may continue.
func addAndWait(_ store: SQLiteStore, _ count: Int) throws {
    for number in 0..<count {
        try store.insert(record("\(number)", Data("secret \(number)".utf8)), interaction: .allowed)
        say("added \(number)")
    }
    say("ready")
    _ = readLine()
}

/// Prints how often one add flushes each file.
func countSyncs(_ store: SQLiteStore) throws {
    try store.insert(record("first", Data()), interaction: .allowed)
    for number in 0..<10 {
        syncedFiles = []
        try store.insert(record("\(number)", Data("secret".utf8)), interaction: .allowed)
        say("add: " + syncedFiles.joined(separator: " "))
    }
    syncedFiles = []
    _ = try find(store, "3")
    say("look-up: " + syncedFiles.joined(separator: " "))
    syncedFiles = []
    // So long a log that its content is moved into the database.
    try store.insert(record("large", Data(count: 5_000_000)), interaction: .allowed)
    say("large add: " + syncedFiles.joined(separator: " "))
}

/// Prints the number of open files after each of several rounds. Each round makes every call, and some calls fail.
func countDescriptors(_ location: StoreLocation) throws {
    let file = location.folder + "-passphrase", cache = location.folder + "-cache"
    mkdir(cache, 0o700)
    let passphrase = Secret(Data("passphrase".utf8)), wrong = Secret(Data("wrong".utf8))
    let protector = PassphraseProtector(sources: [.file(path: file)], cost: .lowest)
    let filter = RecordFilter(itemClass: .genericPassword)
    for round in 0..<5 {
        for text in ["wrong", "passphrase\n"] {
            try? FileManager.default.removeItem(atPath: file)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, text == "wrong" && round > 0 ? 0o644 : 0o600)
            _ = status {
                let store = try SQLiteStore(location: location, protector: protector, cache: .folder(cache))
                for number in 0..<2 {
                    _ = status { try store.insert(record("\(round % 2) \(number)", Data()), interaction: .allowed) }
                }
                _ = status {
                    _ = try store.records(matching: filter, parts: .secrets, limit: nil, interaction: .allowed)
                }
                let changes = RecordChanges(attributes: [.label: .string("\(round)")], secrets: [:])
                _ = status { _ = try store.update([RecordUpdate(filter, applying: changes)], interaction: .allowed) }
                _ = status { try store.lock() }
                _ = status { try store.unlock(passphrase: wrong) }
                _ = status { try store.unlock(passphrase: nil) }
                _ = status { try store.setPassphrase(wrong, current: wrong, cost: .lowest) }
                _ = status { try store.setPassphrase(passphrase, current: passphrase, cost: .lowest) }
                _ = status { _ = try store.delete([RecordDeletion(filter)], interaction: .allowed) }
            }
        }
        say("\(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)")
    }
}

/// The name of what became of a call.
func status(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "done"
    } catch let error as StoreError {
        return error.code.name
    } catch {
        return "\(error)"
    }
}

/// Uses stores when no more files can be opened: one that is open, one that is closed, and one that does not exist.
func useWithoutDescriptors(_ location: StoreLocation) throws {
    let other = StoreLocation(folder: location.folder + "-other"),
        none = StoreLocation(folder: location.folder + "-none")
    _ = try SQLiteStore(location: other, cache: .none)
    let unused = try SQLiteStore(location: other, cache: .none)
    let open = try SQLiteStore(location: location, cache: .none)
    try open.insert(record("before", Data()), interaction: .allowed)
    // Opens files up to the limit.
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while case let file = dup(STDOUT_FILENO), file >= 0 { taken.append(file) }
    var references: [String] = []
    for number in 0..<2 {
        let new = record("without \(number)", Data())
        references.append(new.reference.uuid.uuidString)
        // This store has its files open, so the call may succeed or fail.
        _ = status { try open.insert(new, interaction: .allowed) }
    }
    let verbs: [(SQLiteStore) throws -> Void] = [
        { try $0.insert(record("x", Data()), interaction: .allowed) },
        { _ = try find($0) },
        {
            _ = try $0.update(
                matching: filter(), applying: RecordChanges(attributes: [.label: .string("x")], secrets: [:]),
                interaction: .allowed)
        },
        { _ = try $0.delete(matching: filter("x"), interaction: .allowed) },
        { try $0.setPassphrase(nil) },
    ]
    let statuses = verbs.map { verb in status { try verb(unused) } }
    let openings = [location, none].map { location in status { _ = try SQLiteStore(location: location, cache: .none) } }
    for file in taken { close(file) }
    say("ids differ: \(Set(references).count == 2 && !references.contains { $0.hasPrefix("00000000") })")
    say("verbs: " + statuses.joined(separator: " "))
    say("openings: " + openings.joined(separator: " "))
    try open.insert(record("after", Data()), interaction: .allowed)
    try open.verify()
    say("after: \(try find(open, "after").count)")
}

/// Makes identifiers without /dev.
func makeIDsInEmptyRoot(_ location: StoreLocation) {
    guard chroot(location.folder) == 0, chdir("/") == 0 else { return failure("chroot: \(errno)") }
    say(record("a", Data()).reference.uuid.uuidString)
    say(record("b", Data()).reference.uuid.uuidString)
}

/// Adds items until the process's limit for file sizes is reached, and continues to read.
func addUnderSizeLimit(_ location: StoreLocation, _ limit: Int) throws {
    // This program's own output is written to files too. It discards the log, and writes the rest after the limit is
    // lifted.
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO)
    say(
        try withSizeLimit(limit) {
            let opened = Result { try SQLiteStore(location: location, cache: .none) }
            guard case .success(let store) = opened else { return "opening: " + status { _ = try opened.get() } }
            var added = 0
            var end = "done"
            while end == "done" && added < 1_000 {
                end = status { try store.insert(record("\(added)", Data(count: 5_000)), interaction: .allowed) }
                if end == "done" { added += 1 }
            }
            try store.verify()
            return "\(end) \(try find(store).count == added)"
        })
}

private func withSizeLimit(_ limit: Int, _ body: () throws -> String) rethrows -> String {
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var before = rlimit()
    getrlimit(resource, &before)
    defer { setrlimit(resource, &before) }
    var limited = rlimit(rlim_cur: rlim_t(limit), rlim_max: before.rlim_max)
    setrlimit(resource, &limited)
    return try body()
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
}
