// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SecItemStore

/// Sees to it that a person is asked one thing at a time.
///
/// Whoever wants to know the same, by the same words, while it is asked gets the same answer: eight threads make one question.
/// Whoever wants to know something else waits until it is answered.
package enum PresenceDialog {
    /// One question, and the answer when there is one.
    private final class Question: Sendable {
        let methods: PresenceRequest.Methods
        let reason: String
        /// Whether whoever asks the same may have its answer: not so for a secret, which is one caller's.
        let isShared: Bool
        /// A forked child is not answered: the thread that asks is not in it.
        let process = getpid()
        /// The thread that asks, which can wait for nobody else's answer.
        let thread = pthread_self()
        private let isAnswered = DispatchSemaphore(value: 0)
        private let answer = ForkableState<Result<Void, PresenceFailure>?>(nil)

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
    /// - Parameter context: What remembers the proof. Nobody is asked for one that it has by the time the question is due: of
    ///   threads that share a context, one asks.
    /// - Throws: Why the person is not known to be the owner; ``PresenceFailure/takenBack`` when the context has ended.
    package static func ask(
        _ request: PresenceRequest, for context: (any AuthenticationContext)?,
        through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) {
        while true {
            let own = Question(request, isShared: true)
            guard let other = try begin(own, request) else {
                try run(own) { () throws(PresenceFailure) in
                    if context?.hasProven(request.methods) == true { return }
                    try authenticator.authenticate(request)
                    RecentProofs.note(request.methods)
                    // Before the next question is put. Whoever waits has an answer, also where this context has ended.
                    _ = context?.noteProof(of: request.methods)
                }
                if context?.isInvalidated == true { throw .takenBack }
                return
            }
            guard let answer = other.wait(for: request) else { throw .takenBack }
            // It was another's to take back.
            if case .failure(.takenBack) = answer { continue }
            guard other.isSame(as: request) else { continue }
            try answer.get()
            if context?.noteProof(of: request.methods) == false { throw .takenBack }
            return
        }
    }

    /// Has a person asked for something that the caller checks, and waits for it.
    ///
    /// - Throws: Why there is no answer.
    package static func secret(
        _ kind: WantedSecret, _ request: PresenceRequest, through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) -> Secret {
        while true {
            let own = Question(request, isShared: false)
            guard let other = try begin(own, request) else {
                return try run(own) { () throws(PresenceFailure) in try authenticator.secret(kind, for: request) }
            }
            guard other.wait(for: request) != nil else { throw .takenBack }
        }
    }

    /// Whether somebody has proven in the last seconds to be the owner, by one of the methods and no other.
    package static func wasProven(by methods: PresenceRequest.Methods, withinLast seconds: TimeInterval) -> Bool {
        RecentProofs.contain(methods, withinLast: seconds)
    }

    /// Makes this the question that is open, or returns the one that is.
    ///
    /// - Throws: ``PresenceFailure/nobodyToAsk`` in the thread that asks: an authenticator of the application's own that wants
    ///   to know what it is to find out would wait for its own answer.
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

    /// Asks, and tells whoever waits how it ended.
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
