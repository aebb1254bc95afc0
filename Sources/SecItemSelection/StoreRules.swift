// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// The rules by which a program gets its store if it names none (``LinuxKeychain/Store/automatic``).
///
/// A store that the environment asks for is used, or the choice fails. Otherwise an application that already has items in
/// one store stays with it. If it has none, the Secret Service is used if one answers on the session bus, and otherwise the
/// embedded store. In a run of tests that asks for no store, items are kept in memory, so that tests never touch the
/// developer's own keychain.
struct StoreRules {
    /// A store, as the rules name it.
    enum Store: Sendable, Hashable {
        case memory, embedded, secretService, postgreSQL
    }

    /// Why a store is chosen.
    enum Reason: Sendable, Hashable {
        /// The environment asks for it.
        case setting
        /// That variable configures it.
        case variable(String)
        case testRun
        /// The application has items there.
        case items
        /// A Secret Service answers.
        case answer
        /// None answers.
        case noAnswer

        /// Whether another application, or another moment, might give another store.
        var dependsOnItems: Bool { [.items, .answer, .noAnswer].contains(self) }
    }

    let environment: [String: String]
    let isTestRun: Bool

    /// The store, and the reason for it.
    ///
    /// The later a fact is in the list, the more it costs to find out, and the fewer choices need it.
    ///
    /// - Parameters:
    ///   - record: The recorded place of the application's items.
    ///   - folder: The folder in which the environment's embedded store is; nil if there is none yet.
    ///   - hasItems: Whether that store has items of the application, or is locked.
    ///   - answers: Whether a Secret Service answers.
    /// - Throws: `errSecNotAvailable` if the environment asks for a store that there is not; the error of a fact.
    func choose(
        record: () throws(KeychainError) -> ItemPlace?, folder: () throws(KeychainError) -> String?,
        hasItems: () throws(KeychainError) -> Bool, answers: () -> Bool
    ) throws(KeychainError) -> (store: Store, reason: Reason) {
        if let asked = try storeAskedFor() { return asked }
        let place = try record()
        if place == .secretService { return (.secretService, .items) }
        if let folder = try folder() {
            var isThere = place == .embedded(folder: folder)
            if !isThere { isThere = try hasItems() }
            if isThere { return (.embedded, .items) }
        }
        return answers() ? (.secretService, .answer) : (.embedded, .noAnswer)
    }

    /// What the environment asks for, if it asks for anything.
    private func storeAskedFor() throws(KeychainError) -> (store: Store, reason: Reason)? {
        let word = environment["SECITEM_STORE"] ?? ""
        switch ConfigurationWord.Store(rawValue: word) {
        case .embedded: return (.embedded, .setting)
        case .postgreSQL: return (.postgreSQL, .setting)
        case .secretService: return (.secretService, .setting)
        case .memory: return (.memory, .setting)
        case nil where !word.isEmpty:
            throw .notAvailable(
                "SECITEM_STORE is \"\(word)\", which is not a store: use embedded, secret-service, postgresql, memory or automatic"
            )
        case .automatic, nil:
            if let variable = ConfigurationWord.configuringEmbedded(environment) {
                return (.embedded, .variable(variable))
            }
            return isTestRun && word.isEmpty ? (.memory, .testRun) : nil
        }
    }
}
