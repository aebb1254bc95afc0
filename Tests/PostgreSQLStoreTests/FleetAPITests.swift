// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import ProcessKeychain
    import SecItemMaintenance
    import SecItemPostgreSQL
    import SecItemShim
    import TestSupport
    import Testing

    /// `LinuxKeychain.members`, `invite`, `join` and `removeMembers`, as a program calls them. The process is one machine after
    /// another, so the tests run one after another.
    @Suite(.serialized, .processKeychain, .timeLimit(.minutes(60)))
    struct FleetAPITests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        private func keyFile(_ machine: String) -> URL { URL(fileURLWithPath: folder.path + "/" + machine) }

        /// Runs `body` as that machine.
        private func on<Result>(
            _ machine: String, at other: PrivateServer? = nil, _ body: () throws -> Result
        ) rethrows -> Result {
            LinuxKeychain.use(
                .postgreSQL((other ?? server).user, keyFile: keyFile(machine), passphrase: .none))
            defer { LinuxKeychain.use(.inMemory) }
            return try body()
        }

        private func status(_ body: () throws -> Void) -> OSStatus {
            do {
                try body()
                return errSecSuccess
            } catch {
                return (error as? LinuxKeychain.Failure)?.status ?? 1
            }
        }

        private func add(_ account: String) -> OSStatus {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "fleet", kSecAttrAccount: account,
                kSecValueData: Data("secret of \(account)".utf8),
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        /// The accounts of all items whose secrets are right, or what the call gave.
        private func accounts() -> (OSStatus, Set<String>) {
            var found: Set<String> = []
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "fleet", kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true, kSecReturnData: true,
            ]
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            for item in (result as? [[String: Any]]) ?? [] {
                guard let account = item[kSecAttrAccount as String] as? String,
                    item[kSecValueData as String] as? Data == Data("secret of \(account)".utf8)
                else { continue }
                found.insert(account)
            }
            return (status, found)
        }

        /// Whoever is a member opens everything, whoever was removed opens nothing, and a token lets one machine in.
        @Test func machines_openEverythingExactlyWhileTheyAreMembers() throws {
            var members: [String: String] = [:]
            var removed: Set<String> = [], items: Set<String> = ["first"], steps: [String] = []
            #expect(on("m0") { add("first") } == errSecSuccess)
            _ = try on("m0") { try LinuxKeychain.invite() }
            func own() throws -> LinuxKeychain.Member {
                try #require(try LinuxKeychain.members().first(where: \.isThisMachine))
            }
            members["m0"] = try on("m0") { try own().fingerprint }
            for step in 1...16 {
                let member = try #require(members.keys.randomElement())
                let others = members.keys.filter { $0 != member }.shuffled().prefix(2)
                if others.isEmpty || Int.random(in: 0..<5) < 3 {
                    steps.append("\(member) invites m\(step)")
                    let token = try on(member) { try LinuxKeychain.invite(name: "m\(step)", validForSeconds: 600) }
                    let joined = try on("m\(step)") { try LinuxKeychain.join(token) }
                    #expect(joined.name == "m\(step)" && joined.state == .member && joined.isThisMachine)
                    #expect(joined.inviter?.fingerprint == members[member])
                    // Again on the same machine, nothing happens, and another machine does not get in.
                    #expect(try on("m\(step)") { try LinuxKeychain.join(token) } == joined)
                    #expect(on("late") { status { try LinuxKeychain.join(token) } } == errSecNotAvailable)
                    members["m\(step)"] = joined.fingerprint
                } else {
                    steps.append("\(member) removes \(others)")
                    let open = try on(member) { try LinuxKeychain.invite() }
                    let count = try on(member) { try LinuxKeychain.removeMembers(others.compactMap { members[$0] }) }
                    #expect(count == items.count)
                    #expect(on("late") { status { try LinuxKeychain.join(open) } } == errSecNotAvailable)
                    for other in others {
                        members[other] = nil
                        removed.insert(other)
                        // The key of a removed machine never lets it in again.
                        let token = try on(member) { try LinuxKeychain.invite() }
                        #expect(on(other) { status { try LinuxKeychain.join(token) } } == errSecNotAvailable)
                    }
                }
                let author = try #require(members.keys.randomElement())
                #expect(on(author) { add("item \(step)") } == errSecSuccess, "\(steps)")
                items.insert("item \(step)")
                for machine in members.keys {
                    #expect(on(machine) { accounts() } == (errSecSuccess, items), "\(machine): \(steps)")
                }
                for machine in removed {
                    #expect(on(machine) { accounts() } == (errSecNotAvailable, []), "\(machine): \(steps)")
                    #expect(on(machine) { status { _ = try LinuxKeychain.members() } } == errSecNotAvailable)
                }
                let listed = try on(author) { try LinuxKeychain.members() }.filter { $0.state == .member }
                #expect(Set(listed.map(\.fingerprint)) == Set(members.values), "\(steps)")
            }
            #expect(access(folder.path + "/late", F_OK) != 0)
        }

        /// What cannot be done has its status, and changes nothing.
        @Test func refusals_haveTheirStatuses() throws {
            let other = try PrivateServer(isStranger: true)
            try PostgreSQLSchema.prepare(other.database(other.owner))
            #expect(on("m0") { add("first") } == errSecSuccess)
            #expect(on("stranger", at: other) { add("first") } == errSecSuccess)
            let strange = try on("stranger", at: other) { try LinuxKeychain.invite() }
            let own = try on("m0") { try LinuxKeychain.invite(name: "m1", validForSeconds: 600) }
            let short = try on("m0") { try LinuxKeychain.invite(validForSeconds: 1) }
            sleep(3)
            #expect(on("m1") { status { try LinuxKeychain.join(strange) } } == errSecNotAvailable)
            #expect(on("m1") { status { try LinuxKeychain.join(short) } } == errSecNotAvailable)
            #expect(on("m1") { status { try LinuxKeychain.join(Data("secitem-none".utf8)) } } == errSecParam)
            #expect(access(folder.path + "/m1", F_OK) != 0)
            #expect(on("stranger") { status { try LinuxKeychain.join(own) } } == errSecNotAvailable)
            #expect(on("stranger", at: other) { accounts() } == (errSecSuccess, ["first"]))
            for (name, seconds) in [
                ("a\nb", 600), (String(repeating: "x", count: 256), 600), ("m1", 0), ("m1", 400 * 86_400),
            ] {
                #expect(
                    on("m0") { status { _ = try LinuxKeychain.invite(name: name, validForSeconds: seconds) } }
                        == errSecParam)
            }
            let fingerprint = try #require(
                try on("m0") { try LinuxKeychain.members() }.first(where: \.isThisMachine)?.fingerprint)
            for removed in [["0123456789abcdef"], [fingerprint]] {
                #expect(on("m0") { status { try LinuxKeychain.removeMembers(removed) } } == errSecNotAvailable)
            }
            LinuxKeychain.use(.inMemory)
            for call in [
                { _ = try LinuxKeychain.members() }, { _ = try LinuxKeychain.invite() },
                { try LinuxKeychain.join(own) }, { try LinuxKeychain.removeMembers([]) },
            ] as [() throws -> Void] {
                #expect(status(call) == errSecUnimplemented)
            }
            // The invitation is still good.
            #expect(try on("m1") { try LinuxKeychain.join(own) }.name == "m1")
            #expect(on("m1") { accounts() } == (errSecSuccess, ["first"]))
        }
    }
#endif
