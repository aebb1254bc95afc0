// SPDX-License-Identifier: Apache-2.0

/// One thing that the doctor has looked at.
package struct Finding: Sendable, Equatable, Codable {
    /// How bad it is.
    package enum Level: String, Sendable, Codable, CaseIterable {
        /// In order.
        case fine
        /// Worth knowing.
        case note
        /// It will hurt some day.
        case warning
        /// Something does not work.
        case problem
    }

    /// What was looked at, in one word for programs to go by.
    package let topic: String
    package let level: Level
    /// What was found. Never a secret.
    package let text: String
    /// What to do about it; nil where nothing has to be done.
    package let remedy: String?

    init(_ topic: String, _ level: Level, _ text: String, remedy: String? = nil) {
        self.topic = topic
        self.level = level
        self.text = text
        self.remedy = remedy
    }
}
