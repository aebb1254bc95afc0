// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecItemStore
import Synchronization

/// What the end of GRDB's connections needs.
///
/// Each of them has a queue with a value of its own, and libdispatch releases this value on a thread. If no thread can be
/// started, it tries again every second, for ever. Before its first thread it opens files, and ends the process if it
/// cannot. So such connections are made only while threads and files can be had, and ended only while threads can be had.
enum QueueReserve {
    /// More than libdispatch starts: at first one that works, one that waits for events, and one that watches the others,
    /// and later one that works.
    private static var threadCount: Int { hasStarted.load(ordering: .acquiring) ? 2 : 4 }
    /// More than libdispatch and SQLite open, so that other threads may open some in between.
    private static let descriptorCount = 16

    /// Whether libdispatch has opened its files, and started the thread that waits for events.
    private static let hasStarted = Atomic(false)

    /// Whether connections can be ended.
    static var hasThreads: Bool { ThreadReserve.shortage(of: threadCount) == nil }

    /// - Throws: ``StoreError/Code/unavailable`` if connections could not be ended.
    static func require() throws(StoreError) {
        if let number = ThreadReserve.shortage(of: threadCount) { throw StoreError(noThreads: number) }
        if hasStarted.load(ordering: .acquiring) { return }
        if let number = DescriptorReserve.shortage(of: descriptorCount) {
            throw StoreError(.unavailable, "the database needs more files: \(StoreError.text(ofErrno: number))")
        }
        // libdispatch opens its files for the first timer, and keeps them. Nobody waits for work that it does: in a forked
        // child it may believe in threads of the parent.
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .seconds(1 << 30))
        timer.activate()
        _ = Unmanaged.passRetained(timer as AnyObject)
        hasStarted.store(true, ordering: .releasing)
    }
}

extension StoreError {
    /// GRDB's connections cannot be ended now.
    init(noThreads number: Int32) {
        self.init(.unavailable, "the database needs threads: \(Self.text(ofErrno: number))")
    }
}
