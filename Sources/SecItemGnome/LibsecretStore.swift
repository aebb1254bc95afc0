// SPDX-License-Identifier: Apache-2.0

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
import SecItemBus
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
        /// Whether secrets may cross the bus without encryption, where the service can do nothing better. Who listens on
        /// the bus reads them then.
        package var allowsPlainSession: Bool
        /// How long a call may take.
        package var callTimeLimit: Double
        /// How long a person may take to answer a prompt.
        package var promptTimeLimit: Double
        /// How long an operation may wait for others that write, all its waits together.
        package var lockTimeLimit: Double

        /// Called before each call on the bus, with its name: for tests that have something happen at that moment.
        package var beforeCall: (@Sendable (String) -> Void)?

        package init(environment: [String: String] = SecureExecution.environment) {
            self.environment = environment
            canPrompt = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
            allowsPlainSession = environment["SECITEM_ALLOW_PLAIN_SESSION"] == ConfigurationWord.plainSessionAllowed
            callTimeLimit = 25
            promptTimeLimit = 120
            lockTimeLimit = 60
        }
    }

    let configuration: Configuration
    let writeLock: WriteLock
    let debts = Debts()
    let log = Logger(keychain: "secitem.secret-service")
    private let current = Mutex<ServiceSession?>(nil)
    let process = getpid()

    /// A store on the session bus. Makes no call yet.
    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        writeLock = WriteLock(environment: configuration.environment)
    }

    /// Makes what a forked child may need of which there is one, before any fork. See `FirstUse`.
    package static func prepare() {
        Libsecret.prepare()
        WriteLock.prepare()
        for itemClass in ItemClass.allCases { _ = SecretSchema.schema(of: itemClass) }
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
        try reading(.forbidden) { operation in
            let session = operation.session
            let collection = try session.defaultCollection()
            let isLocked = try collection.map { try session.isLocked("Collection", at: $0) }
            return Status(provider: session.provider, collection: collection, isLocked: isLocked ?? false)
        }
    }

    // MARK: Session

    /// The session, opened now if there is none.
    func session() throws -> ServiceSession {
        try current.withLock { session in
            if let open = session, !open.bus.isClosed { return open }
            let address = try SessionBusAddress.find(in: configuration.environment)
            let new = try ServiceSession(
                address: address, timeLimit: configuration.callTimeLimit, allowsPlain: configuration.allowsPlainSession,
                beforeCall: configuration.beforeCall)
            try Operation(store: self, session: new, interaction: .forbidden).unlockOpenWallet()
            session = new
            return new
        }
    }

    /// Has the next call open a new session, unless another thread already did.
    func drop(_ session: ServiceSession?) {
        current.withLock { if $0 === session { $0 = nil } }
    }

    func translated(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let failure as BusFailure: failure.storeError
        default: StoreError(.io, "an unexpected error", underlying: error)
        }
    }
}
