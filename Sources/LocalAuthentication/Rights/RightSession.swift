// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The state of a right, and the context that has what was proven since the right was last deauthorized. Any thread may use
/// it.
final class RightSession: Sendable {
    private struct Content {
        var state = LARight.State.unknown
        var context = LAContext()
        var tag = 0
        /// The process in which the person was asked. A child process must ask for itself.
        var process = getpid()

        mutating func forgetOtherProcess() {
            if process == getpid() { return }
            (context, process) = (LAContext(), getpid())
            if state != .unknown { state = .notAuthorized }
        }
    }

    private let content = LockedValue(Content())

    private func with<Result>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { content in
            content.forgetOtherProcess()
            return body(&content)
        }
    }

    var state: LARight.State { with(\.state) }

    var tag: Int {
        get { with(\.tag) }
        set { with { $0.tag = newValue } }
    }

    /// The context of the authorized right.
    ///
    /// - Throws: `LAError.notInteractive` if the right is not authorized, because nobody is asked.
    var authorized: LAContext {
        get throws {
            let context = with { $0.state == .authorized ? $0.context : nil }
            guard let context else { throw LAError.notAuthorized }
            return context
        }
    }

    /// Notes that the person is being asked. A right that is authorized stays so meanwhile.
    ///
    /// - Returns: The context to which the person proves it.
    func begin() -> LAContext {
        with { content in
            if content.state != .authorized { content.state = .authorizing }
            return content.context
        }
    }

    /// Notes the result, unless the right was deauthorized meanwhile.
    ///
    /// - Returns: Whether it was noted.
    @discardableResult
    func end(_ context: LAContext, as state: LARight.State) -> Bool {
        with { content in
            guard content.context === context else { return false }
            content.state = state
            return true
        }
    }

    /// Forgets what was proven, and dismisses an open question.
    func deauthorize() {
        let old = with { content in
            let old = content.context
            (content.context, content.state) = (LAContext(), .notAuthorized)
            return old
        }
        old.invalidate()
    }
}
