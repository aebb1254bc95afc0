// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// The person of one case: who is asked under a reason of their own, so that cases may run at once.
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
        Self.people.withLock { $0[reason] = self }
    }

    /// The person that is asked under that reason.
    static func asked(_ reason: String) -> AskedPerson? { people.withLock { $0[reason] } }

    fileprivate func answer(_ question: Question) throws {
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

/// Has the person of a case asked, whoever the process's authenticator is: other tests set that one too.
struct AskedPeople: PresenceAuthenticator {
    /// What stands for the fingers of all of them.
    static let fingers = Data(repeating: 1, count: 32)

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? { nil }

    func enrolledBiometrySet() -> Data? { Self.fingers }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        guard let person = AskedPerson.asked(request.reason) else { throw .nobodyToAsk }
        do {
            try person.answer(
                AskedPerson.Question(
                    allowsPassword: request.methods.contains(.password),
                    allowsBiometry: request.methods.contains(.biometry)))
        } catch {
            throw .thrown(error)
        }
    }
}
