// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A second thread that examines rows during one look-up, in addition to the reading thread.
///
/// It is a thread rather than a queue, because queues do not work in a child process.
final class OpeningThread: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let search: RowSearch
    private var thread: pthread_t?
    // Guarded by `mutex`.
    private var waiting: [RowBatch] = []
    private var isOver = false

    /// - Parameter search: The search with which both threads examine each batch.
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

    /// Nil if the system provides no thread. Then the caller does all the work.
    private static func start(_ owner: OpeningThread) -> pthread_t? {
        // The application's signal handlers must not run on it.
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
        while let batch = next(waits: true) { batch.examine(with: search) }
    }

    /// Adds a batch. If the other thread falls behind, this one first does some of the work.
    func add(_ batch: RowBatch) {
        let isBehind = withLock {
            waiting.append(batch)
            pthread_cond_signal(changed)
            return waiting.count > Self.greatestCount
        }
        if isBehind, let first = next(waits: false) { first.examine(with: search) }
    }

    /// The greatest number of waiting batches. Their content is in memory twice.
    private static let greatestCount = 3

    /// Returns when all batches are examined and the thread has ended. Call it once, even after a failure.
    func finish() {
        withLock {
            isOver = true
            pthread_cond_signal(changed)
        }
        while let batch = next(waits: false) { batch.examine(with: search) }
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
