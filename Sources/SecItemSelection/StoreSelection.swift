// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemShim
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Chooses the store that an application works with.
///
/// A store that the application or its environment asks for is used, or the choice fails. Otherwise an application that
/// already has items in one store stays with it. If it has none, the Secret Service is used if one answers on the
/// session bus, and otherwise the embedded store.
///
/// In a sandbox, the Secret Service only answers if the sandbox permits it. In a run of tests that asks for no store,
/// items are kept in memory, so that tests never touch the developer's own keychain.
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
        let reason = Reason.application.rawValue
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
        case .secretService: return try openSecretService(.application)
        case .inMemory: return ChosenStore(store: InMemoryStore(), reason: reason)
        case .custom(let store): return ChosenStore(store: store, reason: reason)
        }
    }

    /// Why a store was chosen, in the words of ``LinuxKeychain/storeSummary``. For the Secret Service, the log also says
    /// what to do if it does not answer.
    private enum Reason: String {
        case application = "the application asked for it"
        case setting = "SECITEM_STORE asks for it"
        case items = "the application has items in it"
        case answer = "a Secret Service answers on the session bus"
    }

    private var embedded: EmbeddedStore {
        EmbeddedStore(environment: environment, application: application, owner: owner, sandbox: sandbox)
    }

    private var database: SharedDatabase { SharedDatabase(environment: environment, embedded: embedded) }

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
        let reason = Reason.setting.rawValue
        let word = environment["SECITEM_STORE"] ?? ""
        if word.isEmpty {
            if let variable = embedded.configuringVariable {
                return try openEmbedded(interaction, "\(variable) configures it")
            }
            return isTestRun ? storeOfTestRun : try chooseByCircumstances(interaction)
        }
        switch ConfigurationWord.Store(rawValue: word) {
        case .automatic:
            if let variable = embedded.configuringVariable {
                return try openEmbedded(interaction, "\(variable) configures it")
            }
            return try chooseByCircumstances(interaction)
        case .embedded: return try openEmbedded(interaction, reason)
        case .postgreSQL: return try database.open(reason: reason)
        case .secretService: return try openSecretService(.setting)
        case .memory: return Self.inMemory(reason)
        case nil:
            throw .notAvailable(
                "SECITEM_STORE is \"\(word)\", which is not a store: use embedded, secret-service, postgresql, memory or automatic"
            )
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
        return Self.inMemory("this is a run of tests")
    }

    private func openEmbedded(_ interaction: Interaction, _ reason: String) throws(KeychainError) -> ChosenStore {
        try embedded.open(directory: nil, passphrase: .automatic, interaction: interaction, reason: reason)
    }

    #if Gnome || Desktop
        private func chooseByCircumstances(_ interaction: Interaction) throws(KeychainError) -> ChosenStore {
            var chosen = try findByCircumstances(interaction)
            chosen.dependsOnApplication = true
            return chosen
        }

        private func findByCircumstances(_ interaction: Interaction) throws(KeychainError) -> ChosenStore {
            if try isMarked() { return try openSecretService(.items) }
            let found = try embedded.openIfThere(interaction, reason: Reason.items.rawValue)
            if let found, found.hasItems { return found.chosen }
            if isReachable {
                warnAboutItemsElsewhere()
                return secretService(.answer, isMarkNeeded: true)
            }
            warnAboutMissingLibrary()
            guard var chosen = found?.chosen else { return try openEmbedded(interaction, noReason) }
            chosen.reason = noReason
            return chosen
        }

        private func isMarked() throws(KeychainError) -> Bool {
            let mark = SecretServiceMark(environment: environment, identifier: owner.identifier)
            do throws(StoreError) { return try mark.isSet } catch { throw KeychainError(error) }
        }

        /// An embedded store with the items may be unreachable: on a disk that is not mounted, or below another home
        /// folder.
        private func warnAboutItemsElsewhere() {
            PlaceOfItems(environment: environment, identifier: owner.identifier)
                .warn(ofNewStoreAt: "the Secret Service")
        }

        private var isReachable: Bool {
            let configuration = LibsecretStore.Configuration(environment: environment)
            guard LibsecretStore.isServiceAvailable(configuration: configuration) else { return false }
            return sandbox == nil || !LibsecretStore.isServiceForbidden(configuration: configuration)
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

        /// The Secret Service, without checking whether it answers. No other store replaces it, so the calls themselves
        /// report a failure.
        private func openSecretService(_ reason: Reason) throws(KeychainError) -> ChosenStore {
            guard sandbox == nil || isReachable else {
                throw .notAvailable("\(noReason). \(choice(reason).advice(nil))")
            }
            return secretService(reason, isMarkNeeded: false)
        }

        /// - Parameter isMarkNeeded: Whether no item may be stored without the mark. Without it, the next start could
        ///   not know where the items are. If the caller names this store each time, the mark is merely useful.
        private func secretService(_ reason: Reason, isMarkNeeded: Bool) -> ChosenStore {
            let mark = SecretServiceMark(environment: environment, identifier: application.identifier)
            let place = PlaceOfItems(environment: environment, identifier: application.identifier)
            var configuration = LibsecretStore.Configuration(environment: environment)
            configuration.choice = choice(reason)
            let store = MarkingStore(LibsecretStore(configuration: configuration)) {
                () throws(StoreError) in
                guard let reminder = try mark.begin(isNeeded: isMarkNeeded) else { return nil }
                // Another process may have chosen the embedded store meanwhile, if it has no bus.
                place.warn(ofNewStoreAt: "the Secret Service")
                return reminder
            }
            var chosen = ChosenStore(store: store, reason: reason.rawValue)
            chosen.place = ChosenStore.placeOfSecretService
            chosen.forget = { () throws(StoreError) in try mark.remove() }
            return chosen
        }

        /// Why the Secret Service was chosen, and what else a person can choose if it does not answer.
        private func choice(_ reason: Reason) -> LibsecretStore.Choice {
            switch reason {
            case .application: .init("The application asked for it", alternative: "choose another store")
            case .setting: .init("SECITEM_STORE asks for it", alternative: "choose another store there")
            case .items:
                .init(
                    "\"\(owner.identifier)\" has items there",
                    alternative: "set SECITEM_STORE=embedded for an empty keychain")
            case .answer: .init("It answered on the session bus when it was chosen")
            }
        }
    #else
        private func chooseByCircumstances(_ interaction: Interaction) throws(KeychainError) -> ChosenStore {
            try openEmbedded(interaction, "the package was built without its trait Gnome")
        }

        private func openSecretService(_ reason: Reason) throws(KeychainError) -> ChosenStore {
            throw .notAvailable("the package was built without its trait Gnome")
        }
    #endif
}
