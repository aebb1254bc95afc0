// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The threads that GLib starts for the first connection of a process, and keeps.
///
/// GLib ends the process if it cannot start one of them. So the first connection requires that some can be started.
enum ThreadReserve {
    /// One more than GLib starts (its main context's and its bus's) and the one that ends a connection in time.
    private static let count = 4

    /// - Throws: `BusFailure` with `.outOfThreads` when there are fewer.
    static func require() throws(BusFailure) {
        // The threads wait for this mutex, so that all of them exist at the same time.
        let isOver = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(isOver, nil)
        defer {
            pthread_mutex_destroy(isOver)
            isOver.deallocate()
        }
        let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { isOver in
            if let isOver = isOver?.assumingMemoryBound(to: pthread_mutex_t.self) {
                pthread_mutex_lock(isOver)
                pthread_mutex_unlock(isOver)
            }
            return nil
        }
        var threads: [pthread_t] = []
        var failure: CInt = 0
        pthread_mutex_lock(isOver)
        while threads.count < count, failure == 0 {
            var thread = pthread_t()
            failure = pthread_create(&thread, nil, wait, isOver)
            if failure == 0 { threads.append(thread) }
        }
        pthread_mutex_unlock(isOver)
        for thread in threads { pthread_join(thread, nil) }
        if failure != 0 { throw BusFailure(.outOfThreads, "errno \(failure)", "no threads can be started") }
    }
}
