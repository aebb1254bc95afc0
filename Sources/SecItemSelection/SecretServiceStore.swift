#if Gnome
    import SecItemGnome
    import SecItemStore

    /// Opens the store on the desktop's Secret Service.
    struct SecretServiceStore {
        let environment: [String: String]

        private var configuration: LibsecretStore.Configuration {
            LibsecretStore.Configuration(environment: environment)
        }

        /// Whether a Secret Service runs on the session bus, or could be started there. Takes a second at most.
        var isAvailable: Bool {
            LibsecretStore.isServiceAvailable(configuration: configuration)
        }

        /// The store. Makes no call yet.
        func open() -> any KeychainStore {
            LibsecretStore(configuration: configuration)
        }
    }
#endif
