// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SecItemStore

/// Asks the person one question at a time.
///
/// Threads that ask the same with the same words while the question is open share its answer. Threads that ask something
/// else wait until it is answered.
package enum PresenceDialog {
    /// One question, and the answer when there is one.
    private final class Question: Sendable {
        let methods: PresenceRequest.Methods
        let reason: String
        /// Whether other threads that ask the same get its answer. Not for a secret, which belongs to one caller.
        let isShared: Bool
        /// A child process gets no answer, because it does not have the thread that asks.
        let process = getpid()
        /// The thread that asks. It cannot wait for another answer.
        let thread = pthread_self()
        private let isAnswered = DispatchSemaphore(value: 0)
        private let answer = LockedValue<Result<Void, PresenceFailure>?>(nil)

        init(_ request: PresenceRequest, isShared: Bool) {
            self.isShared = isShared
            methods = request.methods
            reason = request.reason
        }

        func isSame(as request: PresenceRequest) -> Bool {
            isShared && methods == request.methods && reason == request.reason
        }

        func end(_ result: Result<Void, PresenceFailure>) {
            answer.withLock { $0 = result }
            isAnswered.signal()
        }

        /// The answer, or nil if the request is cancelled.
        func wait(for request: PresenceRequest) -> Result<Void, PresenceFailure>? {
            while !request.isCancelled {
                if isAnswered.wait(timeout: .now() + .milliseconds(50)) == .success {
                    // For the next thread that waits.
                    isAnswered.signal()
                    return answer.withLock { $0 }
                }
            }
            return nil
        }
    }

    private static let current = LockedValue<Question?>(nil)

    /// Asks the person for a proof, and waits for the answer.
    ///
    /// - Parameter context: Remembers the proof. Nobody is asked for a proof that the context has by the time the question is
    ///   due: of threads that share a context, one asks.
    /// - Throws: Why the person is not known to be the owner; ``PresenceFailure/takenBack`` if the context has ended.
    package static func ask(
        _ request: PresenceRequest, for context: (any AuthenticationContext)?,
        through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) {
        while true {
            let own = Question(request, isShared: true)
            guard let other = try begin(own, request) else {
                var hadProof = false
                do throws(PresenceFailure) {
                    try run(own) { () throws(PresenceFailure) in
                        hadProof = context?.hasProven(request.methods) == true
                        // Nobody is asked, so threads that wait for this question ask themselves.
                        if hadProof { throw .takenBack }
                        try authenticator.authenticate(request)
                        RecentProofs.note(request.methods)
                        // Before the next question. Other threads that wait have their answer even if this context has ended.
                        _ = context?.noteProof(of: request.methods)
                    }
                } catch {
                    if !hadProof { throw error }
                }
                if context?.isInvalidated == true { throw .takenBack }
                return
            }
            guard let answer = other.wait(for: request) else { throw .takenBack }
            // Another thread's context has ended, not ours.
            if case .failure(.takenBack) = answer { continue }
            guard other.isSame(as: request) else { continue }
            try answer.get()
            if context?.noteProof(of: request.methods) == false { throw .takenBack }
            return
        }
    }

    /// Runs `body`, which asks, when no other question is open.
    ///
    /// - Throws: The errors of `body`; ``PresenceFailure/takenBack`` if nobody waits for the answer any more.
    static func alone<Answer>(
        _ request: PresenceRequest, _ body: () throws(PresenceFailure) -> Answer
    ) throws(PresenceFailure) -> Answer {
        while true {
            let own = Question(request, isShared: false)
            guard let other = try begin(own, request) else { return try run(own, body) }
            guard other.wait(for: request) != nil else { throw .takenBack }
        }
    }

    /// Makes this the open question, or returns the one that is open.
    ///
    /// - Throws: ``PresenceFailure/nobodyToAsk`` in the thread that asks: an application's authenticator that asks the keychain
    ///   would wait for its own answer.
    private static func begin(_ own: Question, _ request: PresenceRequest) throws(PresenceFailure) -> Question? {
        if request.isCancelled { throw .takenBack }
        let other = current.withLock { current -> Question? in
            if let other = current, other.process == getpid() { return other }
            current = own
            return nil
        }
        if let other, pthread_equal(other.thread, own.thread) != 0 { throw .nobodyToAsk }
        return other
    }

    /// Asks, and passes the result to the threads that wait.
    private static func run<Answer>(
        _ own: Question, _ body: () throws(PresenceFailure) -> Answer
    ) throws(PresenceFailure) -> Answer {
        var result: Result<Void, PresenceFailure> = .success(())
        defer {
            current.withLock { current in if current === own { current = nil } }
            own.end(result)
        }
        do throws(PresenceFailure) {
            return try body()
        } catch {
            result = .failure(error)
            throw error
        }
    }
}
