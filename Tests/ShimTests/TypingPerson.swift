// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import TestSupport

/// A person who types prepared answers, one after another, and dismisses questions when there are no more.
struct TypingPerson: PresenceAuthenticator {
    /// What happened, in its order.
    enum Event: Hashable, Sendable {
        case proof(PresenceRequest.Methods.RawValue)
        case asked(WantedSecret)
        case told(String)
    }

    let answers: Shared<[String]>
    let events = Shared<[Event]>([])
    /// Runs when a secret is asked for, before the answer.
    var beforeAnswer: @Sendable () -> Void = {}
    let greatestTries = 3

    init(_ answers: String...) {
        self.answers = Shared(answers)
    }

    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? { nil }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        events.change { $0.append(.proof(request.methods.rawValue)) }
        beforeAnswer()
    }

    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        events.change { $0.append(.asked(kind)) }
        beforeAnswer()
        let answer = Shared<String?>(nil)
        answers.change { answers in
            let next = answers.isEmpty ? nil : answers.removeFirst()
            answer.change { $0 = next }
        }
        guard let answer = answer.value else { throw .dismissed }
        return Secret(Data(answer.utf8))
    }

    func tell(_ text: String) { events.change { $0.append(.told(text)) } }
}
