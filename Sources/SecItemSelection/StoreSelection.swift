// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemShim
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Chooses and opens the store that an application works with: the one that the application names, or else the one that
/// ``StoreRules`` give.
///
/// In a sandbox, the Secret Service only answers if the sandbox permits it.
struct StoreSelection {
    let environment: [String: String]
    let application: ClientApplication
    /// The application whose items are searched: another name if the application is about to adopt that name's items.
    var owner: ClientApplication
    let sandbox: Sandbox?
    var isTestRun = false

    init(environment: [String: String], application: ClientApplication) {
        self.init(environment: environment, application: application, sandbox: Sandbox(environment: environment))
    }

    /// - Parameter sandbox: The sandbox of the program, or nil outside one.
    init(environment: [String: String], application: ClientApplication, sandbox: Sandbox?) {
        self.environment = environment
        self.application = application
        owner = application
        self.sandbox = sandbox
    }

    /// - Parameter interaction: Whether a person may be asked if opening the store needs that.
    /// - Throws: The status that every call gives while no store is available.
    func choose(
        _ choice: LinuxKeychain.Store, _ interaction: Interaction = .allowed
    ) throws(KeychainError) -> ChosenStore {
        let reason = "the application asked for it"
        switch choice {
        case .automatic: return try chooseByEnvironment(interaction)
        case .embedded(let directory, let passphrase):
            return try embedded.open(
                directory: directory, passphrase: passphrase, interaction: interaction, reason: reason)
        case .postgreSQL(let connection, let keychain, let keyFile, let passphrase, let allowsPlaintext):
            return try database.open(
                connection, keychain: keychain, keyFile: keyFile, passphrase: passphrase,
                allowsPlaintext: allowsPlaintext, reason: reason)
        case .synchronizable(let shared, let others): return try divided(others, shared, interaction)
        case .secretService: return try openSecretService(nil)
        case .inMemory: return ChosenStore(store: InMemoryStore(), reason: reason)
        case .custom(let store): return ChosenStore(store: store, reason: reason)
        }
    }

    private var embedded: EmbeddedStoreOpener {
        EmbeddedStoreOpener(environment: environment, application: application, owner: owner, sandbox: sandbox)
    }

    private var database: SharedStoreOpener { SharedStoreOpener(environment: environment, embedded: embedded) }

    // MARK: Synchronizable items

    private var synchronizableItems: SynchronizableItems {
        SynchronizableItems(embedded: embedded, database: database)
    }

    private func divided(
        _ others: LinuxKeychain.Store, _ shared: LinuxKeychain.Store, _ interaction: Interaction
    ) throws(KeychainError) -> ChosenStore {
        switch others {
        case .synchronizable: throw .notAvailable("a store of synchronizable items cannot be divided again")
        case .automatic:
            return try synchronizableItems.inFront(of: chooseAmongPlaces(interaction), others, shared: shared)
        default: return try synchronizableItems.inFront(of: choose(others, interaction), others, shared: shared)
        }
    }

    /// `SECITEM_SYNCHRONIZABLE` alone divides nothing in a run of tests, which never touches the user's items.
    private func chooseByEnvironment(_ interaction: Interaction) throws(KeychainError) -> ChosenStore {
        let word = environment["SECITEM_SYNCHRONIZABLE"] ?? ""
        warnAboutUnusedDatabase()
        let chosen = try chooseAmongPlaces(interaction)
        if word.isEmpty || isTestRun && environment["SECITEM_STORE"]?.isEmpty != false { return chosen }
        guard word == ConfigurationWord.synchronizableInPostgreSQL else {
            throw .notAvailable("SECITEM_SYNCHRONIZABLE is \"\(word)\", which is no place for items: use postgresql")
        }
        // Then all items are there.
        if environment["SECITEM_STORE"] == ConfigurationWord.Store.postgreSQL.rawValue { return chosen }
        return try synchronizableItems.inFront(of: chosen, .automatic, shared: nil)
    }

    private func chooseAmongPlaces(_ interaction: Interaction) throws(KeychainError) -> ChosenStore {
        // An embedded store that was opened to look into it.
        var opened: ChosenStore?
        let (store, reason) = try StoreRules(environment: environment, isTestRun: isTestRun).choose(
            record: { () throws(KeychainError) in try recordedPlace() },
            folder: { () throws(KeychainError) in try embedded.existingFolder },
            hasItems: { () throws(KeychainError) in
                let found = try openEmbedded(interaction, .items)
                opened = found
                return try embedded.hasItems(found.store)
            },
            answers: { doesServiceAnswer })
        var chosen: ChosenStore
        switch store {
        case .memory: chosen = reason == .testRun ? storeOfTestRun : Self.inMemory(text(reason))
        case .postgreSQL: chosen = try database.open(reason: text(reason))
        case .secretService: chosen = try openSecretService(reason)
        case .embedded:
            if reason == .noAnswer { warnAboutMissingLibrary() }
            chosen = if let opened { opened } else { try openEmbedded(interaction, reason) }
            chosen.reason = text(reason)
        }
        chosen.dependsOnApplication = reason.dependsOnItems
        return chosen
    }

    private func recordedPlace() throws(KeychainError) -> ItemPlace? {
        try forClient { () throws(StoreError) in
            try PlaceFile(environment: environment, identifier: owner.identifier).place
        }
    }

    /// Why a store was chosen, in the words of ``LinuxKeychain/storeSummary``.
    private func text(_ reason: StoreRules.Reason) -> String {
        switch reason {
        case .setting: "SECITEM_STORE asks for it"
        case .variable(let name): "\(name) configures it"
        case .testRun: "this is a run of tests"
        case .items: "the application has items in it"
        case .answer: "a Secret Service answers on the session bus"
        case .noAnswer: noReason
        }
    }

    /// Items would stay on the machine, which nobody who names a database expects.
    private func warnAboutUnusedDatabase() {
        guard ConfigurationWord.isDatabaseUnused(environment) else { return }
        let (text, remedy) = ConfigurationWord.unusedDatabase
        Logger(keychain: "secitem").once(.warning, "\(text). \(remedy.prefix(1).uppercased() + remedy.dropFirst())")
    }

    /// The one store in memory of a process whose environment asks for that.
    private static let shared = InMemoryStore()

    private static func inMemory(_ reason: String) -> ChosenStore {
        ChosenStore(store: shared, reason: reason)
    }

    private var storeOfTestRun: ChosenStore {
        Logger(keychain: "secitem").once(
            .notice,
            "This is a run of tests: keychain items are kept in memory until it ends. Set SECITEM_STORE, or call "
                + "LinuxKeychain.use, for another store")
        return Self.inMemory(text(.testRun))
    }

    private func openEmbedded(
        _ interaction: Interaction, _ reason: StoreRules.Reason
    ) throws(KeychainError) -> ChosenStore {
        try embedded.open(directory: nil, passphrase: .automatic, interaction: interaction, reason: text(reason))
    }

    // MARK: The Secret Service

    #if Gnome || Desktop
        private var doesServiceAnswer: Bool {
            LibsecretStore.isServiceAvailable(configuration: .init(environment: environment))
        }

        /// The package to install before a Secret Service can be searched; nil if nothing is missing.
        private var missingLibrary: String? {
            LibsecretStore.missingLibrary(configuration: .init(environment: environment))
        }

        private func warnAboutMissingLibrary() {
            guard let missingLibrary else { return }
            Logger(keychain: "secitem").once(
                .notice, "Cannot look for a Secret Service: items are kept in the embedded store",
                metadata: ["reason": "\(missingLibrary)"])
        }

        private var noReason: String {
            if let missingLibrary { return "cannot look for a Secret Service: \(missingLibrary)" }
            let reason = "no Secret Service answers on the session bus"
            return sandbox.map { "\(reason) in this \($0.kind.rawValue)" } ?? reason
        }

        /// The Secret Service. No other store replaces it, so the calls themselves report a failure.
        ///
        /// - Parameter reason: Nil if the application asked for it.
        private func openSecretService(_ reason: StoreRules.Reason?) throws(KeychainError) -> ChosenStore {
            let choice = choice(reason)
            guard sandbox == nil || reason == .answer || doesServiceAnswer else {
                throw .notAvailable("\(noReason). \(choice.advice(nil))")
            }
            let file = PlaceFile(environment: environment, identifier: application.identifier)
            if reason == .answer, let recorded = try recordedPlace() {
                // A disk with the items may not be mounted.
                PlaceFile.warn(.secretService, isUsedInsteadOf: recorded)
            }
            var configuration = LibsecretStore.Configuration(environment: environment)
            configuration.choice = choice
            configuration.record = file.recording(.secretService, isNeeded: reason?.dependsOnItems == true)
            let text = reason.map(text) ?? "the application asked for it"
            var chosen = ChosenStore(store: LibsecretStore(configuration: configuration), reason: text)
            chosen.place = ChosenStore.placeOfSecretService
            chosen.forget = { () throws(StoreError) in try file.remove() }
            return chosen
        }

        /// Why the Secret Service was chosen, and what else a person can choose if it does not answer.
        private func choice(_ reason: StoreRules.Reason?) -> LibsecretStore.Choice {
            switch reason {
            case nil: .init("The application asked for it", alternative: "choose another store")
            case .items:
                .init(
                    "\"\(owner.identifier)\" has items there",
                    alternative: "set SECITEM_STORE=embedded for an empty keychain")
            case .answer: .init("It answered on the session bus when it was chosen")
            default: .init("SECITEM_STORE asks for it", alternative: "choose another store there")
            }
        }
    #else
        private var doesServiceAnswer: Bool { false }
        private var noReason: String { "the package was built without its trait Gnome" }
        private func warnAboutMissingLibrary() {}

        private func openSecretService(_ reason: StoreRules.Reason?) throws(KeychainError) -> ChosenStore {
            throw .notAvailable(noReason)
        }
    #endif
}
