// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A value that is created when it is first needed, on any thread.
final class MadeOnce<Value: Sendable>: Sendable {
    private let value = LockedValue<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    func callAsFunction() -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
