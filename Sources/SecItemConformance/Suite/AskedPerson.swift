// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// The simulated person of one case. Each person has a reason of their own, which is how a question finds them, so
/// cases may run at the same time.
final class AskedPerson: Sendable {
    /// What a question accepts as an answer.
    struct Question: Hashable {
        let allowsPassword: Bool
        let allowsBiometry: Bool

        static let passwordOrFinger = Question(allowsPassword: true, allowsBiometry: true)
        static let finger = Question(allowsPassword: false, allowsBiometry: true)
        static let password = Question(allowsPassword: true, allowsBiometry: false)
        /// The passphrase of the store, which every person knows if ``knowsPassphrase`` is set.
        static let passphrase = Question(allowsPassword: false, allowsBiometry: false)
    }

    private struct State {
        var questions: [Question] = []
        var knowsPassphrase = false
        var answer: @Sendable (Question) throws -> Void = { _ in }
    }

    /// The localized reason of the requests that go to this person.
    let reason = UUID().uuidString
    private let state = LockedValue(State())

    private static let people = LockedValue<[String: AskedPerson]>([:])

    init() {
        Self.people.withLock { $0[reason] = self }
    }

    static func asked(_ reason: String) -> AskedPerson? { people.withLock { $0[reason] } }

    fileprivate func answer(_ question: Question) throws {
        let answer = state.withLock { state in
            state.questions.append(question)
            return state.answer
        }
        try answer(question)
    }

    /// Sets how the person answers. The answer is a proof unless the closure throws an error.
    func answers(_ answer: @escaping @Sendable (Question) throws -> Void) {
        state.withLock { $0.answer = answer }
    }

    /// Whether the person types the passphrase of a store under test. If not, nobody can be asked for it.
    var knowsPassphrase: Bool {
        get { state.withLock(\.knowsPassphrase) }
        set { state.withLock { $0.knowsPassphrase = newValue } }
    }

    /// The questions since the last call of this function.
    func questions() -> [Question] {
        state.withLock { state in
            defer { state.questions = [] }
            return state.questions
        }
    }

    /// Expects exactly these questions since the last call of this function or ``questions()``, in any order.
    func expectQuestions(
        _ expected: [Question], _ what: String = "", file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let asked = questions()
        let isSame = asked.count == expected.count && Set(asked) == Set(expected)
        try expect(isSame, "\(what) \(asked) instead of \(expected)", file: file, line: line)
    }
}

/// Sends each request to the person of its case. The cases do not use the process's authenticator, because other tests
/// set it too.
struct AskedPeople: PresenceAuthenticator {
    /// The enrolled fingers that every person reports.
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

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        guard kind == .passphrase, let person = AskedPerson.asked(request.reason), person.knowsPassphrase else {
            throw .nobodyToAsk
        }
        do {
            try person.answer(.passphrase)
        } catch {
            throw .thrown(error)
        }
        return Secret(Data("passphrase".utf8))
    }
}
