// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension Operation {
    /// Fulfils what the operation needs to continue. No lock is held here.
    ///
    /// - Throws: `StoreError` with `.locked` if nobody may be asked or nobody answered, `.cancelled` if the person
    ///   refused.
    func meet(_ need: Need) throws {
        switch need {
        case .unlocking(let paths): try unlock(paths)
        case .collection: try makeCollection()
        case .answer(let prompt): _ = try answer(to: prompt, timeLimit: patience)
        }
    }

    /// Makes the service unlock items or collections. It prompts if that is necessary and allowed; a keyring without a
    /// password needs no prompt.
    private func unlock(_ paths: [String]) throws {
        if try unlockOpenWallet() { return }
        guard mayAsk else { return try unlockWithoutAsking(paths) }
        let reply = try session.call("Service", "Unlock", .tuple(.objectPaths(paths)))
        guard let path = ServiceSession.prompt(in: reply[1]) else { return }
        let prompt = Prompt(session: session, path: path)
        try prompt.ask()
        _ = try answer(to: prompt, timeLimit: patience)
    }

    /// Unlocks what has no password. For anything else the service creates a prompt, which is not shown.
    private func unlockWithoutAsking(_ paths: [String]) throws {
        let unlock = session.message("Service", "Unlock", at: ServiceSession.root, .tuple(.objectPaths(paths)))
        let configuration = store.configuration
        // Do not tell gnome-keyring to drop a prompt: it drops the prompts of a program that leaves the bus.
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

    /// Call this before a search. If locked items cannot be found, an item that is not found may still exist.
    ///
    /// - Throws: ``Need/unlocking(_:)`` if the default collection is locked and hides its items.
    func requireSearchable() throws {
        guard !session.provider.findsLockedItems, let collection = try session.defaultCollection(),
            try session.isLocked("Collection", at: collection)
        else { return }
        throw Need.unlocking([collection])
    }

    /// KWallet reports a collection as locked until somebody asks to unlock it, even while its wallet is open. Then it
    /// needs no prompt.
    ///
    /// - Returns: Whether the default collection was in this state, and is unlocked now.
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

    /// The time limit of a prompt that needs nobody.
    private static let silentLimit = 10.0
    /// How long to wait for an answer while others wait for the write lock. KeePassXC answers itself while its database
    /// is open.
    private static let briefLimit = 1.0

    /// How long to wait for an answer.
    private var patience: Double {
        let limit = store.configuration.promptTimeLimit
        return mayAsk ? limit : min(limit, Self.silentLimit)
    }

    /// Completes the prompt that a service creates before it writes, if there is one.
    ///
    /// - Returns: The result of the prompt, or nil if there was none.
    /// - Throws: ``Need/answer(_:)`` if it takes longer, because a person is being asked and nobody else should wait
    ///   for them. Then the operation has to check the result afterwards. `StoreError` with `.locked` if nobody may be
    ///   asked and the service does not answer by itself.
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
        case .dismissed: throw prompt.dismissal
        case nil: throw Need.answer(prompt)
        }
    }

    private func answer(to prompt: Prompt, timeLimit: Double) throws -> Variant {
        switch try prompt.answer(timeLimit: timeLimit) {
        case .completed(let result): return result
        case .dismissed: throw prompt.dismissal
        case nil:
            prompt.dismiss()
            throw StoreError(.locked, "nobody answered the prompt")
        }
    }

    // MARK: Collection

    /// Creates the collection for new items, as libsecret does.
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
