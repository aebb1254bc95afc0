// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Runs a body on a thread of its own, and calls back with its error. A thread that waits for a person or a store is kept
/// from nothing else; of Dispatch's there are few.
func onThread(
    answering handler: @escaping @Sendable ((any Error)?) -> Void, _ body: @escaping @Sendable () throws -> Void
) {
    onThread(answering: { (_: Void?, error: (any Error)?) in handler(error) }, body)
}

/// Runs a body on a thread of its own, and calls back with its result or its error. If the system has no thread to give, it
/// calls back at once with `LAError.systemCancel`, and the body does not run.
func onThread<Value: Sendable>(
    answering handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable () throws -> Value
) {
    let isStarted = DetachedThread.start(blockingSignals: false) {
        switch Result(catching: body) {
        case .success(let value): handler(value, nil)
        case .failure(let error): handler(nil, error)
        }
    }
    if !isStarted { handler(nil, LAError.Code.systemCancel.error) }
}

extension Result {
    /// What a completion handler received.
    init(_ value: Success?, _ error: (any Error)?) where Failure == any Error {
        self = value.map(Result.success) ?? .failure(error ?? LAError.Code.authenticationFailed.error)
    }
}
