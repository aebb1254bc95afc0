// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecItemBus
import Synchronization

/// A request to a portal. A call starts it and returns the path of a request object, which sends the signal `Response`
/// at the end.
struct PortalRequest {
    let bus: BusConnection
    /// The portal's unique name.
    let owner: String
    let timeLimit: Double

    /// How the request ended.
    enum Outcome: Sendable {
        case done([String: Variant])
        /// The person refused.
        case cancelled
        /// It ended in another way.
        case failed
        case timedOut
    }

    private static let interface = "org.freedesktop.portal.Request"

    /// Sends the request and waits for the response.
    ///
    /// - Parameter begin: Makes the call and returns the path.
    func perform(_ begin: () throws(BusFailure) -> String) throws(BusFailure) -> Outcome {
        let heard = Heard(owner: owner)
        // Subscribe before the call, and to any path: the response may come before the path is known.
        bus.subscribe(
            to: "sender='\(owner)',interface='\(Self.interface)',member='Response'",
            "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(owner)'")
        let listener = bus.listen { heard.note($0) }
        defer { withExtendedLifetime(listener) {} }
        let path = try begin()
        let deadline = Deadline(in: timeLimit)
        while true {
            _ = deadline.waitAWhile(for: heard.news)
            if let answer = heard.answer(from: path) { return answer }
            if heard.hasLostPortal || bus.isClosed {
                throw BusFailure(.lost, "NameOwnerChanged", "the portal died during a question")
            }
            if deadline.isOver { break }
        }
        _ = try? bus.call(.init(owner, path, Self.interface, "Close"), timeLimit: 1)
        return .timedOut
    }

    /// The signals received so far.
    private final class Heard: Sendable {
        private struct State {
            var answers: [String: Outcome] = [:]
            var hasLostPortal = false
        }

        private let owner: String
        private let state = Mutex(State())
        let news = DispatchSemaphore(value: 0)

        init(owner: String) {
            self.owner = owner
        }

        var hasLostPortal: Bool { state.withLock { $0.hasLostPortal } }

        func answer(from path: String) -> Outcome? { state.withLock { $0.answers[path] } }

        func note(_ signal: Inbox.Signal) {
            let arguments = signal.arguments
            if signal.member == "Response" && signal.sender == owner && arguments.type == "(ua{sv})" {
                let outcome: Outcome =
                    switch arguments[0].number {
                    case 0: .done(arguments[1].properties)
                    case 1: .cancelled
                    default: .failed
                    }
                state.withLock { $0.answers[signal.path] = outcome }
                news.signal()
            } else if signal.isEndOf(owner) {
                state.withLock { $0.hasLostPortal = true }
                news.signal()
            }
        }
    }
}
