// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore

// A program that closes its standard descriptors.

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

/// What is open under a number.
private func path(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
}
