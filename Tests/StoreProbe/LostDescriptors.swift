// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore

// Programs that close descriptors: their standard ones on purpose, and a store's by mistake.

/// Looks up, closes some of the standard descriptors, as a program does that goes into the background, adds an item, and
/// prints to all of them.
///
/// - Parameter argument: The numbers to close, such as "02".
func writeWithoutStandardDescriptors(_ location: StoreLocation, _ argument: String) throws {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100)
    let store = try SQLiteStore(location: location, cache: .none)
    guard try find(store, "first").count == 1 else { return failure("the item is missing") }
    for number in argument.compactMap(\.wholeNumberValue) { close(Int32(number)) }
    let added = status { try store.insert(record("later", Data("secret".utf8)), interaction: .allowed) }
    for number in Int32(0)...2 { _ = write(number, "started\n", 8) }
    let found = status { _ = try find(store, "first") }
    let isOurs = (Int32(0)...2).contains { path(of: $0)?.hasPrefix(location.folder) ?? false }
    say("\(added) \(found) \(isOurs)", to: output)
    _exit(0)
}

/// Closes files that a store has open, adds items, and says which adds succeeded and whether the program's own files are
/// what they were.
///
/// - Parameter words: "count" for the number of open files; else which one is closed, or "all" from 3 on, and whether the
///   numbers are "reused" for the program's own files.
func writeAfterLosingFiles(_ location: StoreLocation, _ words: [String]) throws {
    var store: SQLiteStore? = try SQLiteStore(location: location, cache: .none)
    try store?.insert(record("before", Data("secret".utf8)), interaction: .allowed)
    guard let open = store, try find(open, "before").count == 1 else { return failure("the item is missing") }
    let ours = (Int32(3)..<64).filter { path(of: $0)?.hasPrefix(location.folder + "/") ?? false }
    guard words.count == 2 else { return say("count \(ours.count)") }
    let lost = Int(words[0]).map { [ours[$0]] } ?? (3..<64).filter { path(of: $0) != nil }
    for number in lost { close(number) }
    let own = location.folder + "-own"
    if words[1] == "reused" {
        mkdir(own, 0o700)
        for number in lost {
            let file = Foundation.open(own + "/\(number)", O_RDWR | O_CREAT, 0o600)
            if file != number { dup2(file, number) }
            _ = write(number, "mine", 4)
        }
    }
    for number in 0..<3 {
        say("\(number) " + status { try open.insert(record("\(number)", Data("secret".utf8)), interaction: .allowed) })
    }
    store = nil
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []
    let areMine = names.allSatisfy { FileManager.default.contents(atPath: own + "/" + $0) == Data("mine".utf8) }
    let areOpen = words[1] != "reused" || lost.allSatisfy { path(of: $0) == own + "/\($0)" }
    say("own \(areMine && areOpen)")
}

/// What is open under a number.
private func path(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
}
