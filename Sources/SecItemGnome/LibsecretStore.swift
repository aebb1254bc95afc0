// SPDX-License-Identifier: Apache-2.0

// Stores items in the desktop's Secret Service (GNOME Keyring, KeePassXC, KWallet), through libsecret.
//
// `Mapping/SecretSchema.swift` defines how an item is stored there. These calls are made:
// - A look-up calls `SearchItems`, then `GetSecrets` and, for items not yet known, `Get(Attributes)`, all sent
//   together. It looks for other programs' items only if the query names them and ours do not answer.
// - A repeated look-up only calls `GetSecrets`. The service's signals tell it whether something has changed.
// - An insert calls `SearchItems` and `CreateItem` with `replace` off, under a lock that all programs with this store
//   share.
//
// What the store cannot do:
// - keep the other secrets of internet passwords besides the password (`.unsupported`);
// - change many items atomically: if the process dies in the middle, some items stay changed;
// - run in a child process, where GLib's thread does not exist.
//
// Without a display it never prompts: a call that needs a locked item fails.
//
// `docs/secret-service.md` explains this to users, with the differences between the services.

import Foundation
import Logging
import SecItemBus
import SecItemStore
import Synchronization

/// The store in the desktop's Secret Service. It connects at the first call, and again after the connection was lost.
package final class LibsecretStore: KeychainStore {
    /// The settings of a store. Only tests need other values than the defaults.
    package struct Configuration: Sendable {
        /// The environment that gives the session bus, the display and the run-time folder.
        package var environment: [String: String]
        /// Whether somebody can see a prompt. By default, whether there is a display.
        package var canPrompt: Bool
        /// Whether secrets may cross the bus unencrypted if the service offers no encryption. Programs that listen on
        /// the bus can then read them.
        package var allowsPlainSession: Bool
        package var callTimeLimit: Double
        /// How many seconds a person has to answer a prompt.
        package var promptTimeLimit: Double
        /// How many seconds an operation waits for other writers, in total.
        package var lockTimeLimit: Double
        /// Why the application uses this store, for the log.
        package var choice: Choice?

        /// Writes down that the application has items in this store. Called under the lock of writers, immediately before an
        /// item is created or moved.
        package var record: PlaceRecording?

        /// Called before each call on the bus, with its name. Tests use it to make something happen at that moment.
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

    /// Why an application uses the store: what the log says if no service answers.
    package struct Choice: Sendable {
        private let reason: String
        private let alternative: String?

        /// - Parameters:
        ///   - reason: A sentence without a full stop.
        ///   - alternative: What a person can do besides starting a service, as the end of a sentence.
        package init(_ reason: String, alternative: String? = nil) {
            self.reason = reason
            self.alternative = alternative
        }

        /// The reason, and what to do.
        ///
        /// - Parameter remedy: What makes a service answer; nil if nothing does.
        package func advice(_ remedy: String?) -> String {
            let ways = [remedy, alternative].compactMap { $0 }.joined(separator: ", or ")
            return ways.isEmpty ? reason : "\(reason): \(ways)"
        }
    }

    let configuration: Configuration
    let writeLock: WriteLock
    let debts = Debts()
    let log = Logger(keychain: "secitem.secret-service")
    private let current = Mutex<ServiceSession?>(nil)
    let process = getpid()

    /// Creates a store on the session bus. Makes no call yet.
    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        writeLock = WriteLock(environment: configuration.environment)
    }

    /// Always false: the service does not tell whether a passphrase protects its items.
    package var isPassphraseProtected: Bool { false }

    package var summary: String {
        do throws(StoreError) {
            let status = try status()
            let collection = status.collection ?? "no collection yet"
            let state = status.isLocked ? "locked" : "unlocked"
            return "Secret Service of \(status.provider.name) (\(status.provider.owner)), \(collection), \(state)"
        } catch {
            return "Secret Service, not available: \(error.message)"
        }
    }

    /// The provider, and the collection for new items.
    package struct Status: Sendable {
        /// The program that implements the service.
        package let provider: Provider
        /// The path of the collection for new items, or nil if there is none yet.
        package let collection: String?
        /// Whether that collection is locked.
        package let isLocked: Bool
    }

    /// Asks the service for its status.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is no service.
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
    ///
    /// No lock is held meanwhile. If several threads open one at the same time, all go on with the first.
    func session() throws -> ServiceSession {
        if let open = current.withLock({ $0 }), !open.bus.isClosed { return open }
        let address = try SessionBusAddress.find(in: configuration.environment)
        let new = try ServiceSession(
            address: address, timeLimit: configuration.callTimeLimit, allowsPlain: configuration.allowsPlainSession,
            beforeCall: configuration.beforeCall)
        try Operation(store: self, session: new, interaction: .forbidden).unlockOpenWallet()
        return current.withLock { session in
            if let first = session, !first.bus.isClosed { return first }
            session = new
            return new
        }
    }

    /// Makes the next call open a new session, unless another thread already has.
    func drop(_ session: ServiceSession?) {
        current.withLock { if $0 === session { $0 = nil } }
    }

    func translated(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let failure as BusFailure: failure.storeError(configuration.choice)
        default: StoreError(.io, "an unexpected error", underlying: error)
        }
    }
}
