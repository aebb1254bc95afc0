// SPDX-License-Identifier: Apache-2.0

/// A store that can say what a person needs to know to put it right.
package protocol DiagnosableStore: KeychainStore {
    /// What is known about the store. Creates nothing, changes nothing, and never prompts. It has no secret and no
    /// password.
    func diagnosis() -> [StoreDiagnosis]

    /// Whether the other store keeps its items in the same place, whatever the two places are called.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if that cannot be told, because one of the places cannot be reached.
    func isSamePlace(as other: any KeychainStore) throws(StoreError) -> Bool
}

/// One thing that a store says about itself.
package struct StoreDiagnosis: Sendable, Equatable, Codable {
    /// How bad it is.
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
    /// How bad it is.
    package let level: Level
    /// What was found, in words that follow "TOPIC:".
    package let text: String
    /// What to do about it; nil if nothing has to be done.
    package let remedy: String?

    package init(_ topic: String, _ level: Level, _ text: String, remedy: String? = nil) {
        self.topic = topic
        self.level = level
        self.text = text
        self.remedy = remedy
    }
}
