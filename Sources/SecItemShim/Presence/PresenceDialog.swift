// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SecItemStore

/// Sees to it that a person is asked one thing at a time.
///
/// Whoever wants to know the same while it is asked gets the same answer: eight threads make one question. Whoever wants to
/// know something else waits until it is answered.
package enum PresenceDialog {
    /// One question, and the answer when there is one.
    private final class Question: Sendable {
        let methods: PresenceRequest.Methods
        let reason: String
        /// A forked child is not answered: the thread that asks is not in it.
        let process = getpid()
        private let isAnswered = DispatchSemaphore(value: 0)
        private let answer = ForkableState<Result<Void, PresenceFailure>?>(nil)

        init(_ request: PresenceRequest) {
            methods = request.methods
            reason = request.reason
        }

        func isSame(as request: PresenceRequest) -> Bool { methods == request.methods && reason == request.reason }

        func end(_ result: Result<Void, PresenceFailure>) {
            answer.withLock { $0 = result }
            isAnswered.signal()
        }

        /// The answer, or nil when nobody waits for it any more.
        func wait(for request: PresenceRequest) -> Result<Void, PresenceFailure>? {
            while !request.isCancelled {
                if isAnswered.wait(timeout: .now() + .milliseconds(50)) == .success {
                    // For whoever else waits.
                    isAnswered.signal()
                    return answer.withLock { $0 }
                }
            }
            return nil
        }
    }

    private static let current = ForkableState<Question?>(nil)

    /// Has a person asked, and waits for the answer.
    ///
    /// - Throws: Why the person is not known to be the owner.
    package static func ask(
        _ request: PresenceRequest, through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) {
        while true {
            if request.isCancelled { throw .takenBack }
            let own = Question(request)
            let other = current.withLock { current -> Question? in
                if let other = current, other.process == getpid() { return other }
                current = own
                return nil
            }
            guard let other else { return try ask(own, request, authenticator) }
            guard let answer = other.wait(for: request) else { throw .takenBack }
            // It was another's to take back.
            if case .failure(.takenBack) = answer { continue }
            if other.isSame(as: request) { return try answer.get() }
        }
    }

    private static func ask(
        _ own: Question, _ request: PresenceRequest, _ authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) {
        var result: Result<Void, PresenceFailure> = .success(())
        do throws(PresenceFailure) {
            try authenticator.authenticate(request)
        } catch {
            result = .failure(error)
        }
        current.withLock { current in if current === own { current = nil } }
        own.end(result)
        try result.get()
    }
}
