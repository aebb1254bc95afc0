import SecItemShim
import SecItemStore

#if Gnome
    import SecItemGnome
#endif

/// Chooses the store that an application works with.
///
/// What was asked for, by the application or its environment, is taken or fails. Where nothing was asked for, an
/// application that already has items in one store stays with it; else the Secret Service is taken if one answers on the
/// session bus, else the embedded store.
///
/// In a sandbox the Secret Service answers only if the sandbox lets the application speak to it.
struct StoreSelection {
    let environment: [String: String]
    let application: ClientApplication
    let sandbox: Sandbox?

    init(environment: [String: String], application: ClientApplication) {
        self.init(environment: environment, application: application, sandbox: Sandbox(environment: environment))
    }

    /// - Parameter sandbox: The sandbox around the program, or nil outside one.
    init(environment: [String: String], application: ClientApplication, sandbox: Sandbox?) {
        self.environment = environment
        self.application = application
        self.sandbox = sandbox
    }

    /// - Throws: The status that every call answers while the store cannot be had.
    func choose(_ choice: LinuxKeychain.Store) throws(KeychainError) -> ChosenStore {
        switch choice {
        case .automatic: try chooseByEnvironment()
        case .embedded(let directory, let passphrase):
            ChosenStore(
                store: try embedded.open(directory: directory, passphrase: passphrase), reason: Self.askedByApplication
            )
        case .secretService: ChosenStore(store: try openSecretService(), reason: Self.askedByApplication)
        case .inMemory: ChosenStore(store: InMemoryStore(), reason: Self.askedByApplication)
        case .custom(let store): ChosenStore(store: store, reason: Self.askedByApplication)
        }
    }

    private static let askedByApplication = "the application asked for it"

    private var embedded: EmbeddedStore { EmbeddedStore(environment: environment, sandbox: sandbox) }

    private func chooseByEnvironment() throws(KeychainError) -> ChosenStore {
        let reason = "SECITEM_STORE asks for it"
        switch environment["SECITEM_STORE"] {
        case nil, "", "automatic": return try chooseByCircumstances()
        case "embedded": return ChosenStore(store: try openEmbedded(), reason: reason)
        case "secret-service": return ChosenStore(store: try openSecretService(), reason: reason)
        case "memory": return ChosenStore(store: InMemoryStore(), reason: reason)
        default: throw .notAvailable("SECITEM_STORE names no store that is built in")
        }
    }

    private func openEmbedded() throws(KeychainError) -> any KeychainStore {
        try embedded.open(directory: nil, passphrase: .automatic)
    }

    #if Gnome
        private func chooseByCircumstances() throws(KeychainError) -> ChosenStore {
            if let variable = embedded.configuringVariable {
                return ChosenStore(store: try openEmbedded(), reason: "\(variable) configures it")
            }
            let service = SecretServiceStore(environment: environment)
            let mark = SecretServiceMark(environment: environment, application: application)
            if mark.isSet {
                return ChosenStore(store: try openSecretService(), reason: "the application has items in it")
            }
            if let store = try embedded.openWithItems(of: application) {
                return ChosenStore(store: store, reason: "the application has items in it")
            }
            if isReachable(service) {
                let store = MarkingStore(service.open()) { mark.set() }
                return ChosenStore(store: store, reason: "a Secret Service answers on the session bus")
            }
            return ChosenStore(store: try openEmbedded(), reason: noServiceReason)
        }

        private func isReachable(_ service: SecretServiceStore) -> Bool {
            guard service.isAvailable else { return false }
            return sandbox == nil
                || !LibsecretStore.isServiceForbidden(
                    configuration: LibsecretStore.Configuration(environment: environment))
        }

        private var noServiceReason: String {
            let reason = "no Secret Service answers on the session bus"
            return sandbox.map { "\(reason) in this \($0.kind.rawValue)" } ?? reason
        }

        /// The Secret Service, without a look whether it answers: no other store takes its place, so the calls
        /// themselves say so.
        private func openSecretService() throws(KeychainError) -> any KeychainStore {
            let service = SecretServiceStore(environment: environment)
            guard sandbox == nil || isReachable(service) else { throw .notAvailable(noServiceReason) }
            return service.open()
        }
    #else
        private func chooseByCircumstances() throws(KeychainError) -> ChosenStore {
            ChosenStore(store: try openEmbedded(), reason: "the package was built without its trait Gnome")
        }

        private func openSecretService() throws(KeychainError) -> any KeychainStore {
            throw .notAvailable("the package was built without its trait Gnome")
        }
    #endif
}
