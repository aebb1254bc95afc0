// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// One result of the doctor.
package struct Finding: Sendable, Equatable, Codable {
    /// The severity.
    package enum Level: String, Sendable, Codable, CaseIterable {
        /// In order.
        case fine
        /// Worth knowing.
        case note
        /// It will cause a problem later.
        case warning
        /// Something does not work.
        case problem
    }

    /// The subject, in one word that programs can use.
    package let topic: String
    package let level: Level
    /// What was found. Never a secret.
    package let text: String
    /// What to do about it; nil if nothing has to be done.
    package let remedy: String?

    /// What a store says about itself.
    init(_ diagnosis: StoreDiagnosis) {
        let level: Level =
            switch diagnosis.level {
            case .fine: .fine
            case .note: .note
            case .warning: .warning
            case .problem: .problem
            }
        self.init(diagnosis.topic, level, diagnosis.text, remedy: diagnosis.remedy)
    }

    package init(_ topic: String, _ level: Level, _ text: String, remedy: String? = nil) {
        self.topic = topic
        self.level = level
        self.text = text
        self.remedy = remedy
    }
}
