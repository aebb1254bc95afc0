// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Threads for code of others that ends the process, or waits for ever, if it cannot start them.
package enum ThreadReserve {
    /// Why the process cannot start that many threads at once, as an error number; nil if it can.
    package static func shortage(of count: Int) -> CInt? {
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
        return failure == 0 ? nil : failure
    }
}
