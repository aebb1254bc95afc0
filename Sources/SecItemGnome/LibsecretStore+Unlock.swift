import SecItemStore

/// Thrown inside the store: what must be unlocked before the operation can be tried again.
struct NeedsUnlock: Error {
    let paths: [String]
}

extension LibsecretStore {
    /// Has the service unlock items or collections, asking the person where that is needed and allowed: a keyring
    /// without a password needs nobody.
    ///
    /// - Throws: `StoreError` with `.locked` when nobody may be asked or nobody answered, `.cancelled` when the person
    ///   said no.
    func unlock(_ paths: [String], _ session: ServiceSession, _ interaction: Interaction) throws {
        if try unlockOpenWallet(session) { return }
        let reply = try session.call("Service", "Unlock", .tuple(.objectPaths(paths)))
        guard let path = ServiceSession.prompt(in: reply[1]) else { return }
        guard interaction == .allowed, configuration.canPrompt else {
            Prompt(session: session, path: path).dismiss()
            throw StoreError(.locked, "the collection is locked, and nobody may be asked")
        }
        try confirm(path, session, interaction)
    }

    /// Must be called before a search: where locked items cannot be found, what is not found may be there.
    ///
    /// - Throws: ``NeedsUnlock`` when the default collection is locked, and such.
    func requireSearchable(_ session: ServiceSession) throws {
        guard !session.provider.findsLockedItems, let collection = try session.defaultCollection(),
            try session.property("Locked", of: "Collection", at: collection).boolean
        else { return }
        throw NeedsUnlock(paths: [collection])
    }

    /// KWallet calls a collection locked until somebody asks to unlock it, even while its wallet is open; then it asks
    /// nobody anything.
    ///
    /// - Returns: Whether the default collection was such a one, and is unlocked now.
    @discardableResult
    func unlockOpenWallet(_ session: ServiceSession) throws -> Bool {
        guard session.provider.kind == .kWallet, let collection = try session.defaultCollection(),
            try session.property("Locked", of: "Collection", at: collection).boolean, isWalletOpen(session)
        else { return false }
        let reply = try session.call("Service", "Unlock", .tuple(.objectPaths([collection])))
        try confirm(ServiceSession.prompt(in: reply[1]), session, .forbidden)
        return try !session.property("Locked", of: "Collection", at: collection).boolean
    }

    private func isWalletOpen(_ session: ServiceSession) -> Bool {
        ["kwalletd5", "kwalletd6"].contains { daemon in
            func ask(_ method: String, _ arguments: Variant?) throws -> Variant {
                let interface = "org.kde.KWallet"
                return try session.bus.call(
                    .init(session.provider.owner, "/modules/\(daemon)", interface, method, arguments))
            }
            guard let wallet = try? ask("localWallet", nil)[0].string else { return false }
            return (try? ask("isOpen", .tuple(.string(wallet)))[0].boolean) == true
        }
    }

    /// Carries out the question that a service asks before it writes, where it asks one: KeePassXC does, and answers it
    /// by itself while its database is open.
    ///
    /// - Returns: What the question gave, or nil when there was none.
    @discardableResult
    func confirm(_ path: String?, _ session: ServiceSession, _ interaction: Interaction) throws -> Variant? {
        guard let path else { return nil }
        let mayAsk = interaction == .allowed && configuration.canPrompt
        let limit = mayAsk ? configuration.promptTimeLimit : min(configuration.promptTimeLimit, Self.silentPromptLimit)
        switch try Prompt(session: session, path: path).perform(timeLimit: limit) {
        case .completed(let result): return result
        case .dismissed: throw StoreError(.cancelled, "the prompt was dismissed")
        case .timedOut: throw StoreError(.locked, "nobody answered the prompt")
        }
    }

    /// How long a question that needs nobody may take.
    private static let silentPromptLimit = 10.0

    /// The collection that new items go into, made now if there is none: as libsecret makes it.
    func collection(_ session: ServiceSession, _ interaction: Interaction) throws -> String {
        if let path = try session.defaultCollection() { return path }
        guard interaction == .allowed, configuration.canPrompt else {
            throw StoreError(.locked, "there is no collection yet, and nobody may be asked for its password")
        }
        let properties = Variant.properties(["org.freedesktop.Secret.Collection.Label": .string("Default keyring")])
        let reply = try session.call("Service", "CreateCollection", .tuple(properties, .string("default")))
        let made = try confirm(ServiceSession.prompt(in: reply[1]), session, interaction)?.string ?? reply[0].string
        session.forgetCollection()
        if made.isEmpty || made == "/" { throw StoreError(.cancelled, "no collection was made") }
        return made
    }
}
