// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A second thread that looks through rows for the length of one look-up, beside the one that reads them.
///
/// A thread of its own and no queue's: a forked child has no queues that work, and a fork waits until the look-up is done.
final class OpeningThread: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let search: RowSearch
    private var thread: pthread_t?
    // Guarded by `mutex`.
    private var waiting: [RowBatch] = []
    private var isOver = false

    /// - Parameter search: What each batch is looked through with, by any of the two threads.
    init(_ search: RowSearch) {
        self.search = search
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
        thread = Self.start(self)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Nil where the system gives no thread: then the caller does all the work.
    private static func start(_ owner: OpeningThread) -> pthread_t? {
        // The application's signal handlers are not to run there.
        var all = sigset_t(), old = sigset_t()
        sigfillset(&all)
        guard pthread_sigmask(SIG_SETMASK, &all, &old) == 0 else { return nil }
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { owner in
            if let owner { Unmanaged<OpeningThread>.fromOpaque(owner).takeUnretainedValue().run() }
            return nil
        }
        let status = pthread_create(&thread, nil, body, Unmanaged.passUnretained(owner).toOpaque())
        return status == 0 ? thread : nil
    }

    private func run() {
        while let batch = next(waits: true) { batch.look(with: search) }
    }

    /// Hands the batch over. Where the other thread is behind, this one does some of the work first.
    func add(_ batch: RowBatch) {
        let isBehind = withLock {
            waiting.append(batch)
            pthread_cond_signal(changed)
            return waiting.count > Self.greatestCount
        }
        if isBehind, let first = next(waits: false) { first.look(with: search) }
    }

    /// So many batches may wait: what they hold is in memory twice.
    private static let greatestCount = 3

    /// Returns when all batches were looked through and the thread is gone. To be called once, whatever else fails.
    func finish() {
        withLock {
            isOver = true
            pthread_cond_signal(changed)
        }
        while let batch = next(waits: false) { batch.look(with: search) }
        if let thread { pthread_join(thread, nil) }
    }

    private func next(waits: Bool) -> RowBatch? {
        withLock {
            while waits && waiting.isEmpty && !isOver { pthread_cond_wait(changed, mutex) }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
