// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A value that threads share.
package final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) {
        mutex = Mutex(value)
    }

    package var value: Value { mutex.withLock { $0 } }

    package func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in
            var copy = value
            body(&copy)
            value = copy
        }
    }
}

/// A thread that other threads can wait for.
package final class Worker: Sendable {
    private let isDone = DispatchSemaphore(value: 0)

    package init(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [isDone] in
            body()
            isDone.signal()
        }
        thread.start()
    }

    package func join() {
        isDone.wait()
    }
}
