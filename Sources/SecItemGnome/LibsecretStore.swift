// Items on the desktop's Secret Service (GNOME Keyring, KeePassXC, KWallet), through libsecret.
//
// What an item looks like there is a table: `Mapping/SecretSchema.swift`. Which calls are made:
// - a look-up: `SearchItems`, then `GetSecrets` and, for items not yet known, `Get(Attributes)`, all in one flight; other
//   programs' items are looked for only when ours do not answer, and only when the query names them;
// - a repeated look-up: `GetSecrets` alone, checked against the service's signals;
// - an insert: `SearchItems` and `CreateItem` with `replace` off, under a lock that all programs with this store share.
//
// What it cannot do: keep the secrets of internet passwords beside the password itself (`.unsupported`), make a change of
// many items atomic against the death of the machine (it rolls back, or logs what was done), and run in a forked child
// (GLib's thread is not in it). Without a display it never has a prompt shown: what is locked then says so.
//
// `docs/secret-service.md` tells the same to users, with the differences between the services.

import Foundation
import Logging
import SecItemStore
import Synchronization

/// The store on the desktop's Secret Service. Opens its connection at the first call, and again when it was lost.
package final class LibsecretStore: KeychainStore {
    /// What a store may be told; the defaults are right outside tests.
    package struct Configuration: Sendable {
        /// The environment in which the session bus, the display and the run-time folder are looked up.
        package var environment: [String: String]
        /// Whether there is someone to show a prompt to. By default: whether there is a display.
        package var canPrompt: Bool
        /// How long a call may take.
        package var callTimeLimit: Double
        /// How long a person may take to answer a prompt.
        package var promptTimeLimit: Double
        /// How long to wait for other programs that write.
        package var lockTimeLimit: Double

        package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
            self.environment = environment
            canPrompt = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
            callTimeLimit = 25
            promptTimeLimit = 120
            lockTimeLimit = 60
        }
    }

    let configuration: Configuration
    let writeLock: WriteLock
    let log = Logger(label: "secitem.secret-service")
    private let current = Mutex<ServiceSession?>(nil)
    private let process = getpid()

    /// A store on the session bus. Makes no call yet.
    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        writeLock = WriteLock(environment: configuration.environment, timeLimit: configuration.lockTimeLimit)
    }

    /// Whether a passphrase protects the items is the service's affair, and it does not tell.
    package var isPassphraseProtected: Bool { false }

    package var summary: String {
        do throws(StoreError) {
            let status = try status()
            let collection = status.collection ?? "no collection yet"
            let state = status.isLocked ? "locked" : "unlocked"
            return "Secret Service of \(status.provider.name) (\(status.provider.owner)), \(collection), \(state)"
        } catch {
            return "Secret Service, not available (\(error))"
        }
    }

    /// Who answers, and where new items go.
    package struct Status: Sendable {
        /// The program that answers.
        package let provider: Provider
        /// The path of the collection that new items go into, or nil when there is none yet.
        package let collection: String?
        /// Whether that collection is locked.
        package let isLocked: Bool
    }

    /// Asks who answers.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when nobody does.
    package func status() throws(StoreError) -> Status {
        try withSession { session in
            let collection = try session.defaultCollection()
            let isLocked = try collection.map { try session.property("Locked", of: "Collection", at: $0).boolean }
            return Status(provider: session.provider, collection: collection, isLocked: isLocked ?? false)
        }
    }

    // MARK: Session

    /// How often a call is tried again with a new session, once its own was lost.
    static let reconnections = 2

    /// The session, opened now if there is none.
    func session() throws -> ServiceSession {
        guard getpid() == process else {
            throw StoreError(.unavailable, "the Secret Service cannot be used in a forked child")
        }
        return try current.withLock { session in
            if let open = session, !open.bus.isClosed { return open }
            guard let address = SessionBusAddress.find(in: configuration.environment) else {
                throw StoreError(.unavailable, "there is no session bus")
            }
            let new = try ServiceSession(address: address, timeLimit: configuration.callTimeLimit)
            try unlockOpenWallet(new)
            session = new
            return new
        }
    }

    /// Has the next call open a new session, unless another thread already did.
    func drop(_ session: ServiceSession?) {
        current.withLock { if $0 === session { $0 = nil } }
    }

    /// Runs what only reads, again with a new session when the service was lost.
    func withSession<Result>(_ body: (ServiceSession) throws -> Result) throws(StoreError) -> Result {
        var attempt = 0
        while true {
            var used: ServiceSession?
            do {
                let session = try session()
                used = session
                return try body(session)
            } catch let failure as BusFailure where failure.kind == .lost && attempt < Self.reconnections {
                log.debug("opening a new session", metadata: ["cause": "\(failure)"])
                drop(used)
                attempt += 1
            } catch {
                throw translated(error)
            }
        }
    }

    func translated(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let failure as BusFailure: failure.storeError
        default: StoreError(.io, "an unexpected error", underlying: error)
        }
    }
}
