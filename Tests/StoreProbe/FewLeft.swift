// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore

// A process that may open a few more files only, or start a few more threads, when it first needs them for a store.

/// Uses a store as `words` say: what is scarce, which use, and how much of it is left.
func useWithFewLeft(_ location: StoreLocation, _ words: [String]) throws {
    guard words.count == 3, let left = Int(words[2]) else { return failure("few-left SCARCE USE LEFT") }
    // Root may start as many threads as it wants. The folder belongs to a user who has no other process.
    if words[0] == "threads" {
        var status = stat()
        let parent = URL(fileURLWithPath: location.folder).deletingLastPathComponent().path
        guard stat(parent, &status) == 0, setgid(status.st_uid) == 0, setuid(status.st_uid) == 0 else {
            return failure("no other user")
        }
    }
    // A store with all its files open is closed by a fork.
    let open = words[1] == "fork" ? try SQLiteStore(location: location, cache: .none) : nil
    try open?.insert(record("before", Data()), interaction: .allowed)
    let restore = try words[0] == "threads" ? limitThreads(left) : limitDescriptors(left)
    if open == nil {
        do throws(StoreError) {
            let store = try SQLiteStore(location: location, cache: .none)
            if words[1] == "find" {
                _ = try store.records(matching: filter(), parts: .attributes, limit: nil, interaction: .allowed)
            } else {
                try store.insert(record("first", Data()), interaction: .allowed)
            }
            say("done")
        } catch {
            say(error.code.name)
            say(error.message, to: STDERR_FILENO)
        }
    } else {
        let child = fork()
        if child == 0 { _exit(0) }
        var status: Int32 = 0
        if child > 0 { waitpid(child, &status, 0) }
        say(status == 0 ? "done" : "the child ended with \(status)")
    }
    restore()
    let store = try open ?? SQLiteStore(location: location, cache: .none)
    try store.insert(record("after", Data()), interaction: .allowed)
    try store.verify()
    say("after: \(try find(store, "after").count)")
}

/// Leaves that many descriptors free, and returns what frees the others again.
private func limitDescriptors(_ left: Int) throws -> () -> Void {
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while case let file = dup(STDOUT_FILENO), file >= 0 { taken.append(file) }
    for _ in 0..<min(left, taken.count) { close(taken.removeLast()) }
    return { for file in taken { close(file) } }
}

/// Leaves that many threads to start, and returns what allows more again.
private func limitThreads(_ left: Int) throws -> () -> Void {
    let processes = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
    let running = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    var before = rlimit()
    getrlimit(processes, &before)
    var limit = rlimit(rlim_cur: rlim_t(running + left), rlim_max: before.rlim_max)
    setrlimit(processes, &limit)
    return { setrlimit(processes, &before) }
}
