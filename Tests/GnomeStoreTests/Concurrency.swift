import Foundation
import Synchronization

/// A value that threads share.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in
            var copy = value
            body(&copy)
            value = copy
        }
    }
}

/// A thread that can be waited for.
final class Worker: Sendable {
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [isDone] in
            body()
            isDone.signal()
        }
        thread.start()
    }

    func join() {
        isDone.wait()
    }
}
