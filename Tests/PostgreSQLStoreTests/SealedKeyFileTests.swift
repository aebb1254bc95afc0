// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL
    @testable import SecItemShim

    /// Rules for key files that a chip seals, which the tests of `Tests/Packages/Chip` cannot check with a simulator: what other
    /// processes do while the chip works.
    @Suite(.timeLimit(.minutes(60)))
    struct SealedKeyFileTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder
        private let chip = PausingChip()

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        private var path: String { folder.path + "/key" }

        private func store(_ name: String = "key", asks: Bool = false) -> PostgreSQLStore {
            let chip = chip
            return PostgreSQLStore(
                PostgreSQLServer(server.user), keyFile: folder.path + "/" + name,
                chip: ChipSeal { () throws(StoreError) in chip }, sealsKeyFile: asks)
        }

        /// The device key, while it is in the key file.
        private func deviceKey() throws -> DeviceKey {
            guard case .device(let key)? = try store().keyFile.content() else {
                throw StoreError(.corrupt, "the file has no device key")
            }
            return key
        }

        private func requireEverySealed(_ name: String = "key") throws {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix(name) {
                let bytes = try #require(FileManager.default.contents(atPath: folder.path + "/" + file))
                #expect(bytes.starts(with: "SICHP".utf8), "\(file)")
                #expect(file == name || file.hasPrefix(name + ".device-"), "\(file)")
            }
        }

        /// The key of the machine's own, which another process puts in the place of the device key, is not lost, and is sealed.
        @Test func keyFileThatBecomesAMembersWhileItIsSealed_isKept() throws {
            try store().insert(.password("a"), interaction: .forbidden)
            let fleet = try deviceKey().id.hexadecimal
            // What a killed process has left is gone too.
            for name in ["key", "key.member-\(fleet)"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/\(name).0123456789abcdef.new"))
            }
            chip.pauseOnce { [store = store()] in _ = try store.invite(name: nil, seconds: 600) }
            let sealed = try store(asks: true).sealKeyFile()
            #expect(Set(sealed).count == 2 && sealed.contains(path))
            try requireEverySealed()
            #expect(access(path + ".0123456789abcdef.new", F_OK) != 0)
            guard case .member(let member) = try store(asks: true).keyFile.content() else {
                Issue.record("the file has the device key")
                return
            }
            #expect(try store(asks: true).members().first { $0.isThisMachine }?.id == member.id)
            #expect(try store(asks: true).accounts() == ["a"])
        }

        /// A file that was sealed while another process made this machine a member is not replaced by one without the seal.
        @Test func keyFileThatIsSealedWhileItBecomesAMembers_isNotReplacedByAPlainOne() throws {
            try store().insert(.password("a"), interaction: .forbidden)
            let device = try deviceKey()
            // What an invitation does that read the file before.
            let successor = try store().keyFile.successorMakingIt(device.id, sealed: false)
            _ = try store(asks: true).keyFile.sealNow()
            let error = storeError {
                try store().keyFile.adopt(successor, replacing: .device(device), sealed: false)
            }
            #expect(error?.code == .unavailable)
            #expect(try store(asks: true).accounts() == ["a"])
            // The next one goes on with the same key.
            _ = try store().invite(name: nil, seconds: 600)
            try requireEverySealed()
            #expect(try store(asks: true).accounts() == ["a"])
        }

        /// An earlier attempt to join, which did not ask for the chip, has made the key without the seal. Its token is used.
        @Test func unfinishedJoin_isFinishedWithTheSeal() throws {
            try store().insert(.password("a"), interaction: .forbidden)
            let fleet = try deviceKey().id.hexadecimal
            let token = try store().invite(name: nil, seconds: 600).token
            _ = try store("other").join(token: token, name: "other")
            // As if it had been killed before its last step.
            #expect(rename(folder.path + "/other", folder.path + "/other.member-" + fleet) == 0)
            _ = try store("other", asks: true).join(token: token, name: nil)
            try requireEverySealed("other")
            #expect(try store("other", asks: true).accounts() == ["a"])
        }

        /// What the chip seals is opened before anything relies on it.
        @Test func chipThatSealsWhatItDoesNotOpen_leavesNoKeyFile() throws {
            chip.forgets = true
            #expect(storeError { try store(asks: true).insert(.password("a"), interaction: .forbidden) } != nil)
            #expect(access(path, F_OK) != 0)
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "0\n")
            chip.forgets = false
            try store(asks: true).insert(.password("a"), interaction: .forbidden)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            chip.forgets = true
            #expect(storeError { try store().invite(name: nil, seconds: 600) } != nil)
            chip.forgets = false
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(try store(asks: true).accounts() == ["a"])
        }

        /// A key file that does not open is no wrong passphrase: the right one opens the keychain when the file does.
        @Test func chipThatFailsWhileUnlocking_doesNotRejectThePassphrase() throws {
            let passphrase = folder.path + "/passphrase"
            try Data("right".utf8).write(to: URL(fileURLWithPath: passphrase))
            chmod(passphrase, 0o600)
            let chip = chip
            let store = PostgreSQLStore(
                PostgreSQLServer(server.user), keyFile: path, chip: ChipSeal { () throws(StoreError) in chip },
                sealsKeyFile: true,
                protector: PassphraseProtector(sources: [.file(path: passphrase)], cost: .lowest))
            try store.insert(.password("a"), interaction: .forbidden)
            let other = PostgreSQLStore(
                PostgreSQLServer(server.user), keyFile: path, chip: ChipSeal { () throws(StoreError) in chip },
                sealsKeyFile: true,
                protector: PassphraseProtector(sources: [.file(path: passphrase)], cost: .lowest))
            _ = try other.hasPassphrase()
            #expect(other.isLocked)
            chip.isAnother = true
            #expect(storeError { try other.accounts() }?.code == .unavailable)
            let new = Secret(Data("new".utf8))
            #expect(storeError { try other.setPassphrase(new, current: new) }?.code == .unavailable)
            chip.isAnother = false
            #expect(try other.accounts() == ["a"])
        }

        /// A program that was built without the trait TPM makes nothing with less protection.
        @Test func programWithoutTheTrait_makesNothing() throws {
            for settings in [["SECITEM_PROTECTOR": "tpm"], ["SECITEM_PROTECTOR": "TPM"]] {
                let store = DefaultStore { [server, folder] in
                    [
                        "HOME": folder.path, "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": server.user,
                        "SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/none", "SECITEM_TPM": "none",
                    ].merging(settings) { $1 }
                }
                let item: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecValueData: Data("secret".utf8),
                ]
                #expect(store.calls.add(item as CFDictionary, nil) == errSecNotAvailable)
                #expect(access(folder.path + "/none", F_OK) != 0)
            }
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "0\n")
        }
    }

    /// A chip in memory that lets something else happen while it works.
    private final class PausingChip: SecurityChip, @unchecked Sendable {
        private let lock = NSLock()
        private var secrets: [[UInt8]: Secret] = [:]
        private var pause: (() throws -> Void)?
        /// Whether it opens nothing of what it seals.
        var forgets = false
        /// Whether another chip is in its place.
        var isAnother = false

        /// Runs `body` while the chip seals the next secret.
        func pauseOnce(_ body: @escaping () throws -> Void) { pause = body }

        func seal(_ secret: Secret) throws(StoreError) -> [UInt8] {
            let body = lock.withLock {
                defer { pause = nil }
                return pause
            }
            if let body {
                do { try body() } catch { throw StoreError(.io, "\(error)") }
            }
            let sealed = RandomBytes.bytes(40)
            lock.withLock { if !forgets { secrets[sealed] = secret } }
            return sealed
        }

        func unseal(_ sealed: [UInt8]) throws(StoreError) -> Secret {
            guard let secret = lock.withLock({ isAnother ? nil : secrets[sealed] }) else {
                throw StoreError(.unavailable, "another chip made it")
            }
            return secret
        }

        func check() throws(StoreError) {}
        func makeKey() throws(StoreError) -> ChipKey { throw StoreError(.unsupported, "no keys") }
        func key(wrapped: [UInt8]) throws(StoreError) -> ChipKey { throw StoreError(.unsupported, "no keys") }
        func signature(of digest: [UInt8], with key: ChipKey) throws(StoreError) -> [UInt8] {
            throw StoreError(.unsupported, "no keys")
        }
        func sharedSecret(of key: ChipKey, with publicKey: [UInt8]) throws(StoreError) -> Secret {
            throw StoreError(.unsupported, "no keys")
        }
    }
#endif
