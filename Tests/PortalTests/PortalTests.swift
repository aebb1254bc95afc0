// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Dispatch
    import Foundation
    import SecItemGnome
    import SecItemSQLite
    import SecItemSealing
    import SecItemStore
    import Synchronization
    import TestSupport
    import Testing

    @testable import SecItemSelection
    @testable import SecItemShim

    /// The embedded store in a sandbox, with a stand-in for the portal on a separate bus.
    @Suite(
        .serialized, .enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)),
        .timeLimit(.minutes(60)))
    struct PortalTests {
        private let world: PortalBus

        init() throws {
            world = try PortalBus()
        }

        private func makeStore() throws {
            try world.startPortal()
            #expect(try world.calls().add("old") == errSecSuccess)
        }

        private func lockable(_ chosen: ChosenStore) throws -> any LockableStore {
            try #require(chosen.store as? any LockableStore)
        }

        // MARK: The portal answers

        @Test func newStore_isProtectedByThePortal_andOpensAgain() throws {
            try world.startPortal()
            let chosen = try world.choose()
            #expect(chosen.reason == "no Secret Service answers on the session bus in this Flatpak")
            #expect(try !lockable(chosen).isLocked)
            #expect(
                KeychainCalls(store: chosen.store, application: PortalBus.application).add("one") == errSecSuccess)
            #expect(chosen.store.summary.hasSuffix("protected by the secret of a sandbox's portal"))
            #expect(world.questions == ["RetrieveSecret"])

            let again = try world.choose()
            #expect(again.reason == "the application has items in it")
            let calls = KeychainCalls(store: again.store, application: PortalBus.application)
            #expect(calls.secret(of: "one") == "secret of one")
            #expect(world.questions == ["RetrieveSecret", "RetrieveSecret"])
        }

        @Test func newStore_manyAtOnce_areOneStore() throws {
            try world.startPortal()
            let world = world
            let statuses = Mutex<[OSStatus]>([])
            nonisolated(unsafe) let shared = world
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                let status = (try? shared.calls().add("number \(index)")) ?? errSecInternalComponent
                statuses.withLock { $0.append(status) }
            }
            #expect(statuses.withLock { $0 } == [0, 0, 0, 0])
            let calls = try world.calls()
            #expect((0..<4).allSatisfy { calls.secret(of: "number \($0)") == "secret of number \($0)" })
        }

        @Test func itemWhenPasscodeSet_isRefused() throws {
            try world.startPortal()
            let calls = try world.calls()
            let status = calls.add("one", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
            #expect(status == errSecNotAvailable)
            #expect(try !world.choose().store.isPassphraseProtected)
        }

        @Test func answerBeforeTheCallReturns_isHeard() throws {
            try world.startPortal("early")
            #expect(try world.calls().add("one") == errSecSuccess)
            #expect(try world.calls().secret(of: "one") == "secret of one")
        }

        @Test func token_isGivenBack() throws {
            try world.startPortal("token")
            #expect(try world.calls().add("one") == errSecSuccess)
            #expect(try world.calls().secret(of: "one") == "secret of one")
        }

        /// Another process has made the store after this one found none.
        @Test func storeMadeByAnother_isOpenedByWhoMayAskOnly() throws {
            try world.startPortal()
            let store = try lockable(try world.choose())
            func find(_ interaction: Interaction) throws -> Int {
                try store.records(matching: .passwords, parts: [.secrets], limit: nil, interaction: interaction).count
            }
            #expect(try find(.forbidden) == 0)
            #expect(try world.calls().add("one") == errSecSuccess)
            let asked = world.questions
            #expect(throws: StoreError.self) { try find(.forbidden) }
            #expect(try find(.skipped) == 0)
            #expect(store.isLocked)
            try store.lock()
            #expect(world.questions == asked)
            try store.unlock(passphrase: nil)
            #expect(try find(.forbidden) == 1)
            #expect(world.questions.count > asked.count)
        }

        /// Nobody keeps the portal's secret, neither who opened the store nor who made it.
        @Test(arguments: ["opened", "made"]) func lock_unlockAsksThePortalAgain(store origin: String) throws {
            if origin == "opened" { try makeStore() } else { try world.startPortal() }
            let chosen = try world.choose()
            let store = try lockable(chosen)
            let calls = KeychainCalls(store: store, application: PortalBus.application)
            if origin == "made" { #expect(calls.add("old") == errSecSuccess) }
            try store.lock()
            #expect(store.isLocked)
            #expect(calls.secret(of: "old") == nil)
            world.stopPortal()
            #expect(throws: StoreError.self) { try store.unlock(passphrase: nil) }
            #expect(store.isLocked)
            try world.startPortal()
            try store.unlock(passphrase: nil)
            #expect(calls.secret(of: "old") == "secret of old")
            #expect(world.questions == ["RetrieveSecret"])
        }

        @Test func passphrase_cannotTakeThePortalsPlace() throws {
            try makeStore()
            let store = try #require(try world.choose().store as? any PassphraseStore)
            let summary = store.summary
            for passphrase in [Secret(Data("passphrase".utf8)), nil] {
                let error = #expect(throws: StoreError.self) {
                    try store.setPassphrase(passphrase, current: nil)
                }
                #expect(error?.code == .unsupported)
            }
            #expect(!store.isPassphraseProtected && store.summary == summary)
            // A secret that does not open the store is not accepted.
            let error = #expect(throws: StoreError.self) {
                try store.unlock(passphrase: Secret(Data("passphrase".utf8)))
            }
            #expect(error?.code == .unavailable)
            #expect(
                try store.records(matching: .passwords, parts: [.secrets], limit: nil, interaction: .forbidden).count
                    == 1)
        }

        // MARK: Another secret

        @Test func otherSecret_isAuthFailed_andNothingIsOverwritten() throws {
            try makeStore()
            let before = try world.files()
            try world.startPortal(secret: PortalBus.otherSecret)
            #expect(world.statusOfChoosing() == errSecAuthFailed)
            #expect(try world.files() == before)
            try world.startPortal()
            #expect(try world.calls().secret(of: "old") == "secret of old")
        }

        // MARK: The portal is there and gives no secret

        /// A behaviour of the portal, the expected result, and whether the request is withdrawn.
        struct Manner: Sendable, CustomTestStringConvertible {
            let mode: String
            let status: OSStatus
            var testDescription: String { mode }
        }

        static let manners = [
            Manner(mode: "refuse", status: errSecUserCanceled),
            Manner(mode: "hang", status: errSecInteractionNotAllowed),
            Manner(mode: "mute", status: errSecInteractionNotAllowed),
            Manner(mode: "other-sender", status: errSecInteractionNotAllowed),
            Manner(mode: "fail", status: errSecNotAvailable),
            Manner(mode: "die", status: errSecNotAvailable),
            Manner(mode: "empty", status: errSecNotAvailable),
            Manner(mode: "unfinished", status: errSecNotAvailable),
        ]

        @Test(arguments: manners) func noSecret_newStore_isNotMade(_ manner: Manner) throws {
            try world.startPortal(manner.mode)
            let calls = try world.calls()
            #expect(world.questions == [])
            #expect(calls.add("one") == manner.status)
            #expect(!world.hasStore)
            #expect(world.questions.contains("Close") == ["hang", "other-sender"].contains(manner.mode))
            // The same store object makes the store when the portal works again.
            try world.startPortal()
            #expect(calls.add("one") == errSecSuccess)
            #expect(try world.choose().store.summary.hasSuffix("protected by the secret of a sandbox's portal"))
        }

        @Test(arguments: manners) func noSecret_existingStore_staysAsItIs(_ manner: Manner) throws {
            try makeStore()
            let before = try world.files()
            try world.startPortal(manner.mode)
            #expect(world.statusOfChoosing() == manner.status)
            #expect(try world.files() == before)
            try world.startPortal()
            #expect(try world.calls().secret(of: "old") == "secret of old")
        }

        // MARK: The portal is absent

        @Test(arguments: ["no portal", "no-secrets", "no bus"])
        func absentPortal_newStore_hasAKeyFile_andStaysSo(_ absence: String) throws {
            if absence == "no-secrets" { try world.startPortal(absence) }
            let variables = absence == "no bus" ? ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(world.folder)/none"] : [:]
            let sandbox = Sandbox(
                .flatpak, portal: SandboxPortal(environment: world.environment.merging(variables) { _, new in new }))
            let chosen = try world.choose(in: sandbox, adding: variables)
            #expect(chosen.store.summary.contains("which storing the first item creates"))
            #expect(!world.hasStore)
            #expect(
                KeychainCalls(store: chosen.store, application: PortalBus.application).add("one") == errSecSuccess)
            let summary = chosen.store.summary
            #expect(summary.hasSuffix("protected by the key file beside it"))

            try world.startPortal()
            #expect(try world.calls().secret(of: "one") == "secret of one")
            #expect(try world.choose().store.summary == summary)
            #expect(world.questions == [])
        }

        @Test(arguments: ["no portal", "no-secrets"])
        func absentPortal_existingStore_isNotAvailable(_ absence: String) throws {
            try makeStore()
            let before = try world.files()
            world.stopPortal()
            if absence == "no-secrets" { try world.startPortal(absence) }
            #expect(world.statusOfChoosing() == errSecNotAvailable)
            #expect(throws: KeychainError.self) { try world.choose(.embedded()) }
            #expect(throws: KeychainError.self) { try world.choose(.embedded(passphrase: .none)) }
            #expect(try world.files() == before)
        }

        @Test func outsideTheSandbox_portalsStore_isNotAvailable() throws {
            try makeStore()
            let before = try world.files()
            #expect(world.statusOfChoosing(isSandboxed: false) == errSecNotAvailable)
            #expect(try world.files() == before)
        }

        // MARK: What was asked for

        @Test func askedForKeyFile_portalIsNotAsked() throws {
            try world.startPortal()
            let store = try world.choose(.embedded(passphrase: .none)).store
            #expect(store.summary.hasSuffix("storing the first item creates, protected by the key file beside it"))
            #expect(KeychainCalls(store: store, application: PortalBus.application).add("one") == errSecSuccess)
            #expect(store.summary.contains("protected by the key file beside it"))
            #expect(world.questions == [])
        }

        @Test func askedForPassphrase_portalIsNotAsked() throws {
            try world.startPortal()
            let store = try world.choose(.embedded(passphrase: .closure { Data("passphrase".utf8) })).store
            #expect(store.isPassphraseProtected)
            #expect(world.questions == [])
        }

        @Test func askedForEmbedded_portalProtectsIt() throws {
            try world.startPortal()
            let folder = URL(fileURLWithPath: world.folder + "/data/other")
            #expect(try world.choose(.embedded(directory: folder)).store.summary.contains("portal"))
            #expect(try world.choose(adding: ["SECITEM_STORE": "embedded"]).store.summary.contains("portal"))
        }

        // MARK: The Secret Service

        @Test func secretServiceThatTheSandboxForbids_isNotChosen() throws {
            try world.startPortal("forbidden")
            #expect(try world.calls().add("one") == errSecSuccess)
            #expect(try world.choose().store.summary.contains("protected by the key file beside it"))
            let refusal = #expect(throws: KeychainError.self) { try world.choose(.secretService) }
            #expect(refusal?.status == errSecNotAvailable)
            #expect(try world.choose(.secretService, isSandboxed: false).place == "secret-service")
        }
    }

    /// How the library recognises a sandbox.
    @Suite struct SandboxTests {
        @Test func flatpak_isTold_byItsFile() {
            #expect(Sandbox(environment: [:], flatpakInformation: #filePath)?.kind == .flatpak)
            #expect(Sandbox(environment: [:], flatpakInformation: "/no/such/file") == nil)
        }

        /// Programs that are started in a snap's terminal do not run in the snap's sandbox.
        @Test func snap_isTold_notByItsNameAlone() {
            #expect(Sandbox(environment: ["SNAP_NAME": "app"], flatpakInformation: "/no/such/file") == nil)
            let tests = Bundle.main.executableURL?.deletingLastPathComponent().resolvingSymlinksInPath().path ?? "/"
            let own = ["SNAP_NAME": "app", "SNAP": tests]
            #expect(Sandbox(environment: own, flatpakInformation: "/no/such/file")?.kind == .snap)
        }
    }

    extension RecordFilter {
        /// Every generic password.
        fileprivate static var passwords: RecordFilter {
            RecordFilter(itemClass: .genericPassword, attributes: [:], accessGroups: nil)
        }
    }
#endif
