// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import SecItemGnome
    import SecItemStore

    /// The passwords that other programs store in the Secret Service, as `secret-tool` finds them.
    ///
    /// An item with neither a service nor a server among its attributes is named after its label.
    package struct SecretServiceItems: ForeignSource {
        private let environment: [String: String]
        private let interaction: Interaction

        package init(
            environment: [String: String] = SecureExecution.environment, interaction: Interaction = .allowed
        ) {
            self.environment = environment
            self.interaction = interaction
        }

        package func forEach(
            _ take: (ForeignPassword) throws(StoreError) -> Void
        ) throws(StoreError) -> [ImportRefusal] {
            let store = LibsecretStore(configuration: .init(environment: environment))
            var refusals: [ImportRefusal] = []
            for record in try store.foreignPasswords(in: "", interaction: interaction) {
                let label = record.attributes[.label]?.string ?? ""
                let isInternet = record.itemClass == .internetPassword
                let name = record.attributes[isInternet ? .server : .service]?.string ?? ""
                guard let secret = record.secrets[.valueData], !(name + label).isEmpty else {
                    refusals.append(ImportRefusal(name: label, reason: "it has neither a name nor a password"))
                    continue
                }
                let place = name.isEmpty ? label : name
                var password = ForeignPassword(
                    isInternet ? .server(place) : .service(place), account: record.attributes[.account]?.string ?? "",
                    secret: secret)
                password.attributes = record.attributes.filter { $0.key != .service && $0.key != .server }
                try take(password)
            }
            return refusals
        }
    }
#endif
