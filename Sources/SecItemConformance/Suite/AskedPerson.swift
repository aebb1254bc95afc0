// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// The person of one case: who is asked under a reason of their own, so that cases may run at once.
///
/// The first one becomes the process's authenticator (`LinuxKeychain.authenticator`), for all that follow.
final class AskedPerson: Sendable {
    /// What a question wants to know.
    struct Question: Hashable {
        let allowsPassword: Bool
        let allowsBiometry: Bool

        static let passwordOrFinger = Question(allowsPassword: true, allowsBiometry: true)
        static let finger = Question(allowsPassword: false, allowsBiometry: true)
        static let password = Question(allowsPassword: true, allowsBiometry: false)
    }

    private struct State {
        var questions: [Question] = []
        var answer: @Sendable (Question) throws -> Void = { _ in }
    }

    /// The words under which this person is asked.
    let reason = UUID().uuidString
    private let state = ForkableState(State())

    private static let people = ForkableState<[String: AskedPerson]>([:])

    init() {
        Self.people.withLock { people in
            if people.isEmpty {
                LinuxKeychain.authenticator = .custom(recognisesBiometry: true) { request in
                    let person = Self.people.withLock { $0[request.reason] }
                    guard let person else { throw LAError(.notInteractive) }
                    try person.answer(
                        Question(allowsPassword: request.allowsPassword, allowsBiometry: request.allowsBiometry))
                }
            }
            people[reason] = self
        }
    }

    private func answer(_ question: Question) throws {
        let answer = state.withLock { state in
            state.questions.append(question)
            return state.answer
        }
        try answer(question)
    }

    /// What the person does when asked: proves it, unless it throws.
    func answers(_ answer: @escaping @Sendable (Question) throws -> Void) {
        state.withLock { $0.answer = answer }
    }

    /// The questions since the last time this was asked for.
    func questions() -> [Question] {
        state.withLock { state in
            defer { state.questions = [] }
            return state.questions
        }
    }

    /// Expects these questions since the last time, in any order.
    func expectQuestions(
        _ expected: [Question], _ what: String = "", file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let asked = questions()
        let isSame = asked.count == expected.count && Set(asked) == Set(expected)
        try expect(isSame, "\(what) \(asked) instead of \(expected)", file: file, line: line)
    }
}
