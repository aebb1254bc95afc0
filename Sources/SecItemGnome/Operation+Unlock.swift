// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension Operation {
    /// Does what the operation needs before it can go on. No lock is held here.
    ///
    /// - Throws: `StoreError` with `.locked` when nobody may be asked or nobody answered, `.cancelled` when the person
    ///   said no.
    func meet(_ need: Need) throws {
        switch need {
        case .unlocking(let paths): try unlock(paths)
        case .collection: try makeCollection()
        case .answer(let prompt): _ = try answer(to: prompt, timeLimit: patience)
        }
    }

    /// Has the service unlock items or collections, asking the person where that is needed and allowed: a keyring
    /// without a password needs nobody.
    private func unlock(_ paths: [String]) throws {
        if try unlockOpenWallet() { return }
        guard mayAsk else { return try unlockWithoutAsking(paths) }
        let reply = try session.call("Service", "Unlock", .tuple(.objectPaths(paths)))
        guard let path = ServiceSession.prompt(in: reply[1]) else { return }
        let prompt = Prompt(session: session, path: path)
        try prompt.ask()
        _ = try answer(to: prompt, timeLimit: patience)
    }

    /// Unlocks what has no password. For anything else the service makes a question, which is not asked.
    private func unlockWithoutAsking(_ paths: [String]) throws {
        let unlock = session.message("Service", "Unlock", at: ServiceSession.root, .tuple(.objectPaths(paths)))
        let configuration = store.configuration
        // gnome-keyring must not be told to drop a question: it forgets those of a program that leaves the bus.
        var bus = session.bus
        if session.provider.kind == .gnomeKeyring {
            bus = try BusConnection(
                address: SessionBusAddress.find(in: configuration.environment),
                timeLimit: configuration.callTimeLimit, beforeCall: configuration.beforeCall)
        }
        guard let path = ServiceSession.prompt(in: try bus.call(unlock)[1]) else { return }
        Prompt(session: session, path: path).dismiss()
        throw StoreError(.locked, "the collection is locked, and prompts are not allowed")
    }

    /// Must be called before a search: where locked items cannot be found, what is not found may be there.
    ///
    /// - Throws: ``Need/unlocking(_:)`` when the default collection is locked, and such.
    func requireSearchable() throws {
        guard !session.provider.findsLockedItems, let collection = try session.defaultCollection(),
            try session.isLocked("Collection", at: collection)
        else { return }
        throw Need.unlocking([collection])
    }

    /// KWallet calls a collection locked until somebody asks to unlock it, even while its wallet is open; then it asks
    /// nobody anything.
    ///
    /// - Returns: Whether the default collection was such a one, and is unlocked now.
    @discardableResult
    func unlockOpenWallet() throws -> Bool {
        guard session.provider.kind == .kWallet, let collection = try session.defaultCollection(),
            try session.isLocked("Collection", at: collection), isWalletOpen
        else { return false }
        let reply = try session.call("Service", "Unlock", .tuple(.objectPaths([collection])))
        if let path = ServiceSession.prompt(in: reply[1]) {
            let prompt = Prompt(session: session, path: path)
            try prompt.ask()
            _ = try answer(to: prompt, timeLimit: Self.silentLimit)
        }
        return try !session.isLocked("Collection", at: collection)
    }

    private var isWalletOpen: Bool {
        ["kwalletd5", "kwalletd6"].contains { daemon in
            func ask(_ method: String, _ arguments: Variant?, answer: String) throws -> Variant {
                let interface = "org.kde.KWallet"
                return try session.bus.call(
                    .init(session.provider.owner, "/modules/\(daemon)", interface, method, arguments, answer: answer))
            }
            guard let wallet = try? ask("localWallet", nil, answer: "(s)")[0].string else { return false }
            return (try? ask("isOpen", .tuple(.string(wallet)), answer: "(b)")[0].boolean) == true
        }
    }

    // MARK: Prompts

    /// How long a question that needs nobody may take.
    private static let silentLimit = 10.0
    /// How long an answer is waited for while others wait for the write lock: KeePassXC answers by itself while its
    /// database is open.
    private static let briefLimit = 1.0

    /// How long an answer is waited for.
    private var patience: Double {
        let limit = store.configuration.promptTimeLimit
        return mayAsk ? limit : min(limit, Self.silentLimit)
    }

    /// Carries out the question that a service asks before it writes, where it asks one.
    ///
    /// - Returns: What the question gave, or nil when there was none.
    /// - Throws: ``Need/answer(_:)`` when it takes longer: a person is being asked, and nobody else shall wait for them.
    ///   Then the operation has to look afterwards what became of it. `StoreError` with `.locked` when nobody may be asked
    ///   and the service is none that answers by itself.
    @discardableResult
    func confirm(_ path: String?) throws -> Variant? {
        guard let path else { return nil }
        let prompt = Prompt(session: session, path: path)
        guard mayAsk || session.provider.answersByItself else {
            prompt.dismiss()
            throw StoreError(.locked, "the service asks before it writes, and prompts are not allowed")
        }
        try prompt.ask()
        switch try prompt.answer(timeLimit: min(Self.briefLimit, patience)) {
        case .completed(let result): return result
        case .dismissed: throw StoreError(.cancelled, "the prompt was dismissed")
        case nil: throw Need.answer(prompt)
        }
    }

    private func answer(to prompt: Prompt, timeLimit: Double) throws -> Variant {
        switch try prompt.answer(timeLimit: timeLimit) {
        case .completed(let result): return result
        case .dismissed: throw StoreError(.cancelled, "the prompt was dismissed")
        case nil:
            prompt.dismiss()
            throw StoreError(.locked, "nobody answered the prompt")
        }
    }

    // MARK: Collection

    /// Makes the collection that new items go into, as libsecret makes it.
    private func makeCollection() throws {
        session.forgetCollection()
        if try session.defaultCollection() != nil { return }
        guard mayAsk else {
            throw StoreError(.locked, "there is no collection yet, and prompts for its password are not allowed")
        }
        let properties = Variant.properties(["org.freedesktop.Secret.Collection.Label": .string("Default keyring")])
        let reply = try session.call("Service", "CreateCollection", .tuple(properties, .string("default")))
        var made = reply[0].string
        if let path = ServiceSession.prompt(in: reply[1]) {
            let prompt = Prompt(session: session, path: path)
            try prompt.ask()
            made = try answer(to: prompt, timeLimit: patience).string
        }
        session.forgetCollection()
        if made.isEmpty || made == "/" { throw StoreError(.cancelled, "no collection was created") }
    }
}
