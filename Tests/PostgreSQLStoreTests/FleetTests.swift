// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// A machine opens the keychains exactly while it is a member.
    @Suite(.timeLimit(.minutes(60)))
    struct FleetTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        /// The store as that machine uses it.
        private func store(
            _ machine: String, name: String = "default", protector: any RootKeyProtector = KeyFileProtector(),
            limits: PostgreSQLLimits = .standard
        ) -> PostgreSQLStore {
            PostgreSQLStore(
                PostgreSQLServer(server.user, limits: limits), name: name, keyFile: path(machine), protector: protector)
        }

        private func path(_ machine: String) -> String { folder.path + "/" + machine }

        private func add(_ account: String, _ store: PostgreSQLStore) throws {
            try store.insert(.password(account), interaction: .forbidden)
        }

        private func accounts(_ store: PostgreSQLStore) throws -> [String] {
            try store.records(
                matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes, .secrets], limit: nil,
                interaction: .forbidden
            )
            .compactMap { (record) -> String? in
                guard case .string(let account) = record.attributes[.account],
                    record.secrets[.valueData]?.data() == Data("secret of \(account)".utf8)
                else { return nil }
                return account
            }
        }

        /// The files with keys that are to take the place of device keys.
        private var successors: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".member") }
            }
        }

        private func token(_ machine: String = "first", name: String? = nil, seconds: Int64 = 600) throws -> Secret {
            try store(machine).invite(name: name, seconds: seconds).token
        }

        private func text(_ token: Secret) -> String { String(decoding: token.data(), as: UTF8.self) }

        private func id(_ machine: String) throws -> [UInt8] {
            guard case .member(let member) = try KeyFile(path: path(machine)).content() else { return [] }
            return member.id
        }

        // MARK: Joining

        @Test func members_openTheKeychain_withKeysOfTheirOwn() throws {
            try add("a", store("first"))
            let deviceKey = try #require(try KeyFile(path: path("first")).content()).file.data()
            for machine in ["second", "third"] {
                let joined = try store(machine).join(token: token(name: machine), name: nil)
                #expect(joined.name == machine && joined.isThisMachine)
                try add(machine, store(machine))
            }
            for machine in ["first", "second", "third"] {
                #expect(try accounts(store(machine)) == ["a", "second", "third"])
                let file = try Data(contentsOf: URL(fileURLWithPath: path(machine)))
                // The file has no part of the device key.
                #expect(file.range(of: deviceKey[24..<56]) == nil)
                #expect(try successors == [])
                let members = try store(machine).members()
                #expect(members.map(\.state) == [.member, .member, .member])
                #expect(members.filter(\.isThisMachine).map(\.id) == [try id(machine)])
            }
            // Nor does the server, whose rows are sealed.
            let dump = try Program("pg_dump", ["--inserts", server.admin]).output()
            for secret in [deviceKey[24..<56], Data("third".utf8)] {
                #expect(!dump.contains(Array(secret).hexadecimal))
            }
        }

        /// The list says who let a machine in, also after new keys, and to whoever reads it.
        @Test func members_areListedWithWhoInvitedThem() throws {
            try add("a", store("first"))
            let invitation = try store("first").invite(name: "second", seconds: 600)
            let former = try #require(try former("first").first)
            #expect(invitation.formerKeyFile == path(former))
            let second = try store("second").join(token: invitation.token, name: nil)
            // Whatever its name is.
            let long = String(repeating: "é", count: 127)
            let third = try store("third").join(token: token("second"), name: long)
            _ = try store("fourth").join(token: token("third"), name: "fourth")
            #expect(try store("first").invite(name: "open", seconds: 600).formerKeyFile == nil)
            for isRekeyed in [false, true] {
                if isRekeyed { _ = try store("second").rekey(keychains: [], removing: [], passphrase: nil) }
                for machine in ["first", "second", "third", "fourth"] {
                    let members = try store(machine).members()
                    let first = try #require(members.first { $0.id == (try? id("first")) })
                    let known = [first, second, third].map { FleetInviter(name: $0.name, fingerprint: $0.fingerprint) }
                    func inviter(_ name: String) -> FleetInviter?? {
                        members.first { $0.name == name }.map(\.inviter)
                    }
                    #expect(first.inviter == nil && members.count == (isRekeyed ? 4 : 5))
                    #expect(inviter("second") == known[0] && inviter(long) == known[1] && inviter("fourth") == known[2])
                    #expect(members.contains { $0.name == "open" && $0.inviter == known[0] } == !isRekeyed)
                }
            }
        }

        /// What a killed process has left has a key in it, and is gone when another one has done its work.
        @Test func unfinishedKeyFiles_areRemoved() throws {
            func leave(_ names: [String]) throws {
                for name in names { try Data([1]).write(to: URL(fileURLWithPath: path(name))) }
            }
            let number = "0123456789abcdef"
            try leave(["first.\(number).new", "first.\(number)0.new", "first.note.new", "other.\(number).new"])
            try add("a", store("first"))
            func unfinished() throws -> Set<String> {
                Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".new") })
            }
            let others: Set = ["first.\(number)0.new", "first.note.new", "other.\(number).new"]
            #expect(try unfinished() == others)
            let fleet = try #require(try deviceKey).id.hexadecimal
            try leave(["first.\(number).new", "first.member-\(fleet).\(number).new"])
            let token = try token()
            #expect(try unfinished() == others)
            // Also where only the last step of joining is left.
            try leave(["second.member-\(fleet).\(number).new"])
            _ = try store("second").join(token: token, name: nil)
            #expect(try unfinished() == others)
            #expect(try accounts(store("second")) == ["a"])
        }

        /// Nobody who looks at the log alone has to guess which file is the wrong one. The line comes once.
        @Test func wrongKeyFile_isNamedInTheLog() throws {
            try add("a", store("first"))
            try KeyFile(path: path("strange")).createNew(DeviceKey())
            try Data("no key".utf8).write(to: URL(fileURLWithPath: path("text")))
            chmod(path("text"), 0o600)
            for name in ["strange", "text"] {
                let log = CollectedLog()
                let store = PostgreSQLStore(
                    PostgreSQLServer(server.user), keyFile: path(name), logger: log.logger)
                for _ in 0..<2 { #expect(storeError { try accounts(store) }?.code == .corrupt) }
                let lines = log.lines.filter { $0.contains(path(name)) }
                #expect(lines.count == 1, "\(log.lines)")
            }
        }

        /// A token works once, for its database, until its time is over, and only as it was printed.
        @Test func token_thatIsUsedExpiredStrangeOrMistyped_opensNothing() throws {
            try add("a", store("first"))
            let used = try token()
            _ = try store("second").join(token: used, name: nil)
            #expect(storeError { try store("third").join(token: used, name: nil) }?.code == .unavailable)
            let short = try token(seconds: 1)
            sleep(3)
            #expect(storeError { try store("third").join(token: short, name: nil) }?.code == .unavailable)
            let other = try PrivateServer(isStranger: true)
            try PostgreSQLSchema.prepare(other.database(other.owner))
            let stranger = PostgreSQLStore(PostgreSQLServer(other.user), keyFile: path("stranger"))
            try stranger.insert(.password("b"), interaction: .forbidden)
            let strange = try stranger.invite(name: nil, seconds: 600).token
            #expect(storeError { try store("third").join(token: strange, name: nil) }?.code == .unavailable)
            let valid = try token()
            for index in 0..<valid.count {
                var bytes = valid.data()
                bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                #expect(throws: StoreError.self) { try Invitation(token: Secret(bytes)) }
            }
            #expect(access(path("third"), F_OK) != 0)
            // The key file of another database stays, and the invitation with it.
            try KeyFile(path: path("plain")).createNew(DeviceKey())
            let before = try Data(contentsOf: URL(fileURLWithPath: path("plain")))
            #expect(storeError { try store("plain").join(token: valid, name: nil) }?.code == .unavailable)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("plain"))) == before)
            #expect(try successors == [])
            // So does the key of a machine in another fleet.
            let member = try Data(contentsOf: URL(fileURLWithPath: path("stranger")))
            #expect(storeError { try store("stranger").join(token: valid, name: nil) }?.code == .unavailable)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("stranger"))) == member)
            #expect(try accounts(stranger) == ["b"])
            _ = try store("third").join(token: valid, name: nil)
            #expect(try accounts(store("third")) == ["a"])
        }

        /// Only an add makes tables, a key file or a keychain.
        @Test func databaseWithoutTables_staysEmpty() throws {
            let empty = try PrivateServer(isStranger: true)
            let store = PostgreSQLStore(PostgreSQLServer(empty.owner), keyFile: path("first"))
            let token = try Invitation().token
            let calls: [() throws -> Void] = [
                { _ = try store.members() }, { _ = try store.invite(name: nil, seconds: 600) },
                { _ = try store.join(token: token, name: nil) },
                { _ = try store.rekey(keychains: [], removing: [], passphrase: nil) },
                { try store.setPassphrase(nil) },
            ]
            for call in calls { #expect(storeError(call)?.code == .unavailable) }
            #expect(access(path("first"), F_OK) != 0)
            #expect(try empty.administer("SELECT to_regnamespace('secitem') IS NULL") == "t\n")
        }

        /// Of machines that store the first item at once, one makes the keychain. The others get no key file, which would open
        /// nothing and be in the way of joining.
        @Test func machinesThatStoreTheFirstItemAtOnce_makeOneKeychain() throws {
            let empty = try PrivateServer(isStranger: true)
            let names = (0..<6).map { "machine \($0)" }
            let made = Shared<[String]>([])
            DispatchQueue.concurrentPerform(iterations: names.count) { index in
                let store = PostgreSQLStore(PostgreSQLServer(empty.owner), keyFile: path(names[index]))
                let error = storeError { try store.insert(.password("a"), interaction: .forbidden) }
                if error == nil { made.change { $0.append(names[index]) } }
                #expect(error == nil || error?.code == .unavailable, "\(error?.message ?? "")")
            }
            #expect(made.value.count == 1)
            for name in names { #expect((access(path(name), F_OK) == 0) == made.value.contains(name)) }
        }

        /// Nobody removes itself or somebody who is not there, and nothing has changed then.
        @Test func removal_thatCannotBe_changesNothing() throws {
            try add("a", store("first"))
            _ = try store("second").join(token: token(), name: nil)
            let dump = "SELECT string_agg(encode(code, 'hex'), ',' ORDER BY code) FROM secitem.keys"
            let before = try server.administer(dump)
            for removed in [[try id("first")], [try id("second"), [1, 2, 3]]] {
                let error = storeError { try store("first").rekey(keychains: [], removing: removed, passphrase: nil) }
                #expect(error?.code == .unavailable)
            }
            #expect(try server.administer(dump) == before)
            #expect(try accounts(store("second")) == ["a"])
        }

        @Test func machines_thatUseOneTokenAtOnce_joinOnce() throws {
            try add("a", store("first"))
            let token = try token()
            let names = (0..<6).map { "machine \($0)" }
            let joined = Shared<[String]>([])
            DispatchQueue.concurrentPerform(iterations: names.count) { index in
                let error = storeError { try store(names[index]).join(token: token, name: nil) }
                if error == nil { joined.change { $0.append(names[index]) } }
            }
            #expect(joined.value.count == 1)
            for name in names where !joined.value.contains(name) {
                #expect(storeError { try accounts(store(name)) }?.code == .unavailable)
            }
        }

        /// At each moment there is a key file that opens the keychain, and each step can be done again.
        @Test(arguments: ["invite", "join"])
        func killedMember_losesNoWayIn(_ command: String) throws {
            try add("a", store("first"))
            if command == "join" { _ = try token() }
            for round in 0..<12 {
                let machine = command == "join" ? "machine \(round)" : "copy \(round)"
                if command == "invite" {
                    // A machine of its own each time, with a copy of the device key.
                    let key = try #require(deviceKey)
                    _ = try KeyFile(path: path(machine)).create(.device(key))
                }
                let token = command == "join" ? try self.token() : nil
                let program = try Program.built(
                    "PostgreSQLProbe", [command, server.user, path(machine)] + (token.map { [text($0)] } ?? [])
                ).start()
                try program.waitFor(line: "begun")
                usleep(UInt32(round) * 4_000)
                program.kill()
                if let token {
                    // The token may be used up, and then the machine is a member.
                    _ = try store(machine).join(token: token, name: nil)
                } else {
                    #expect(try accounts(store(machine)) == ["a"])
                    _ = try self.token(machine)
                }
                #expect(try accounts(store(machine)) == ["a"])
                #expect(try store(machine).members().filter(\.isThisMachine).count == 1)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(!names.contains { $0.hasSuffix(".new") }, "\(names)")
            }
        }

        /// What a machine has sent to one fleet opens nothing in another one: each gets a key of its own, also after a process
        /// was killed when its row was stored.
        @Test func interruptedJoin_givesNoOtherFleetItsKey() throws {
            let other = try PrivateServer(isStranger: true)
            try PostgreSQLSchema.prepare(other.database(other.owner))
            func second(_ machine: String) -> PostgreSQLStore {
                PostgreSQLStore(PostgreSQLServer(other.user), keyFile: path(machine))
            }
            try add("a", store("first"))
            try add("b", second("other"))
            let fleet = try #require(try deviceKey).id
            let token = try token()
            _ = try store("machine").join(token: token, name: nil)
            let known = try id("machine")
            // As it was before the last step.
            let successor = path("machine.member-\(fleet.hexadecimal)")
            try FileManager.default.moveItem(atPath: path("machine"), toPath: successor)
            // The key file of the other database may have come to its place meanwhile. It is never replaced.
            try FileManager.default.copyItem(atPath: path("other"), toPath: path("machine"))
            let foreign = FileManager.default.contents(atPath: path("machine"))
            #expect(storeError { _ = try store("machine").join(token: token, name: nil) }?.code == .unavailable)
            #expect(FileManager.default.contents(atPath: path("machine")) == foreign)
            #expect(try accounts(second("machine")) == ["b"])
            #expect(try former("machine") == [])
            try FileManager.default.removeItem(atPath: path("machine"))
            _ = try second("machine").join(token: second("other").invite(name: nil, seconds: 600).token, name: nil)
            #expect(try accounts(second("machine")) == ["b"])
            #expect(try id("machine") != known)
            #expect(try second("other").members().allSatisfy { $0.id != known })
            // The first fleet is still there to be joined, with the key that it knows.
            try FileManager.default.moveItem(atPath: path("machine"), toPath: path("machine in the second"))
            _ = try store("machine").join(token: token, name: nil)
            #expect(try accounts(store("machine")) == ["a"] && id("machine") == known)
            #expect(try successors == [])
            // A device key of the same fleet gives way, and stays beside the key file.
            try FileManager.default.moveItem(atPath: path("machine"), toPath: successor)
            let copy = path(try #require(try former("first").first))
            try FileManager.default.copyItem(atPath: copy, toPath: path("machine"))
            _ = try store("machine").join(token: token, name: nil)
            #expect(try id("machine") == known && former("machine").count == 1)
            #expect(try successors == [])
        }

        /// The device key that the first machine has.
        private var deviceKey: DeviceKey? {
            get throws {
                guard case .device(let key) = try KeyFile(path: path("first")).content() else { return nil }
                return key
            }
        }

        // MARK: The former key file

        /// The file that has the device key which that machine had before it was a member.
        private func former(_ machine: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix(machine + ".device-")
            }
        }

        /// Becoming a member in one database takes no other database away, nor a dump from before.
        @Test func firstInvitation_keepsTheFormerKeyFile() throws {
            let other = try PrivateServer(isStranger: true)
            try PostgreSQLSchema.prepare(other.database(other.owner))
            func second(_ file: String) -> PostgreSQLStore {
                PostgreSQLStore(PostgreSQLServer(other.user), keyFile: path(file))
            }
            try add("a", store("first"))
            try second("first").insert(.password("b"), interaction: .forbidden)
            let before = try Data(contentsOf: URL(fileURLWithPath: path("first")))
            let dump = try Program("pg_dump", ["--data-only", "--schema=secitem", server.admin]).output()
            _ = try token()
            let kept = try #require(try former("first").first)
            #expect(try former("first") == [kept])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path(kept))) == before)
            var status = stat()
            #expect(stat(path(kept), &status) == 0 && status.st_mode & 0o777 == 0o600)
            // The error names the file, and the file opens the other database and makes it another fleet.
            let error = storeError { try accounts(second("first")) }
            #expect(error?.code == .unavailable && error?.message.contains(path(kept)) == true)
            #expect(try accounts(second(kept)) == ["b"])
            _ = try second(kept).invite(name: nil, seconds: 600)
            #expect(try accounts(second(kept)) == ["b"])
            #expect(try accounts(store("first")) == ["a"])
            #expect(try former(kept).count == 1)
            // It opens a dump from before, too: also after the keychains have got new keys.
            _ = try store("first").rekey(keychains: [], removing: [], passphrase: nil)
            let old = try Program("pg_dump", ["--data-only", "--schema=secitem", server.admin]).output()
            try server.administer("TRUNCATE secitem.format, secitem.member, secitem.store CASCADE; " + dump)
            let restored = try #require(try former(kept).first)
            try FileManager.default.copyItem(atPath: path(restored), toPath: path("restored"))
            #expect(storeError { try accounts(store("first")) }?.code == .unavailable)
            #expect(try accounts(store("restored")) == ["a"])
            // With new keys, the former file opens nothing, and no error proposes it.
            try server.administer(
                "SET search_path = ''; TRUNCATE secitem.format, secitem.member, secitem.store CASCADE; " + old
                    + "; DELETE FROM secitem.member")
            #expect(storeError { try accounts(store("restored")) }?.code == .corrupt)
            let shut = storeError { try accounts(store("first")) }
            #expect(shut?.code == .unavailable && shut?.message.contains("device-") == false)
        }

        /// What is in the way of the former key file stays, and so does the key file.
        @Test func formerKeyFile_replacesNoFile() throws {
            try add("a", store("first"))
            let id = try #require(try deviceKey).id
            let strange = Data("something else".utf8)
            try strange.write(to: URL(fileURLWithPath: path("first.device-\(id.hexadecimal)")))
            chmod(path("first.device-\(id.hexadecimal)"), 0o600)
            #expect(throws: StoreError.self) { try token() }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("first.device-\(id.hexadecimal)"))) == strange)
            #expect(try deviceKey?.id == id)
            #expect(try accounts(store("first")) == ["a"])
        }

        /// Nobody can invite a machine into a database without keychains, so no error proposes it.
        @Test func memberOfAnotherFleet_inANewDatabase_isToldToMoveItsKeyFile() throws {
            try add("a", store("first"))
            _ = try token()
            let own = try Data(contentsOf: URL(fileURLWithPath: path("first")))
            try server.administer("TRUNCATE secitem.member, secitem.store CASCADE")
            let store = store("first")
            let errors = [storeError { try accounts(store) }, storeError { try add("b", store) }]
            for error in errors {
                #expect(error?.code == .unavailable && error?.message.contains("move the file away") == true)
                #expect(error?.message.contains("join") == false)
            }
            let found = store.diagnosis().filter { $0.topic == "keychain" }
            #expect(found.map(\.level) == [.problem])
            #expect(!"\(found)".contains("join"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("first"))) == own)
            try FileManager.default.moveItem(atPath: path("first"), toPath: path("away"))
            try add("b", store)
            #expect(try accounts(store) == ["b"])
        }

        // MARK: Planted rows

        /// Somebody with the database only can take away members, and add none.
        @Test func rows_thatNoMemberWrote_openNothing() throws {
            try add("a", store("first"))
            for machine in ["second", "third"] { _ = try store(machine).join(token: token(name: machine), name: nil) }
            let swapped = """
                UPDATE secitem.member SET id = id || '\\x00';
                UPDATE secitem.member AS m SET id = substr(o.id, 1, 32)
                FROM (SELECT id, coalesce(lead(id) OVER (ORDER BY id), (SELECT id FROM secitem.member ORDER BY id LIMIT 1)) AS next
                    FROM secitem.member) AS o WHERE o.next = m.id;
                """
            for sql in [
                swapped, "UPDATE secitem.member SET details = set_byte(details, 20, get_byte(details, 20) # 1)",
                "UPDATE secitem.member SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)",
                "UPDATE secitem.member SET kind = 'invitation'",
            ] {
                try server.administer("CREATE TABLE kept AS SELECT * FROM secitem.member; \(sql)")
                for machine in ["first", "second", "third"] {
                    #expect(storeError { try accounts(store(machine)) }?.code == .corrupt, "\(sql)")
                }
                try server.administer(
                    "DELETE FROM secitem.member; INSERT INTO secitem.member SELECT * FROM kept; DROP TABLE kept")
            }
            // A device key of the server's own, well sealed to the member's public key, but without its voucher.
            let victim = try id("second")
            let row = try MemberRow(
                member: victim, .init(name: "second", since: 1, voucher: DeviceKey().file), DeviceKey())
            try server.administer(
                """
                UPDATE secitem.member SET sealed = '\\x\(row.sealed.hexadecimal)', details = '\\x\(row.details.hexadecimal)'
                WHERE id = '\\x\(victim.hexadecimal)'
                """)
            #expect(storeError { try accounts(store("second")) }?.code == .corrupt)
            let states = try store("first").members().map(\.state)
            #expect(states.filter { $0 == .damaged }.count == 1)
            // It gets no new keys either.
            _ = try store("first").rekey(keychains: [], removing: [], passphrase: nil)
            #expect(storeError { try accounts(store("second")) }?.code == .unavailable)
            #expect(try accounts(store("third")) == ["a"])
        }

        // MARK: Removing

        @Test func removedMember_opensNothing_andOthersGoOn() throws {
            let first = store("first")
            try add("a", first)
            let copy = try #require(try deviceKey)
            _ = try KeyFile(path: path("copy")).create(.device(copy))
            for machine in ["second", "third"] { _ = try store(machine).join(token: token(name: machine), name: nil) }
            let open = try token()
            let second = store("second"), third = store("third"), copied = store("copy")
            for store in [second, third, copied] { #expect(try accounts(store) == ["a"]) }
            #expect(try first.rekey(keychains: [], removing: [id("third")], passphrase: nil) == 1)
            // Those that have it open go on.
            for store in [first, second, store("first"), store("second")] {
                #expect(try accounts(store) == ["a"])
            }
            try add("b", second)
            let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("a")])
            #expect(try first.delete([RecordDeletion(filter)], interaction: .forbidden) == 1)
            #expect(try accounts(first) == ["b"])
            for (store, code) in [
                (third, StoreError.Code.unavailable), (store("third"), .unavailable), (copied, .corrupt),
                (store("copy"), .corrupt),
            ] {
                #expect(storeError { try accounts(store) }?.code == code)
                #expect(storeError { try add("c", store) }?.code == code)
            }
            #expect(storeError { try store("fourth").join(token: open, name: nil) }?.code == .unavailable)
            #expect(try first.members().map(\.name).contains("third") == false)
            // It can be invited again, with a new key: the others know the voucher of the old one.
            let again = try token(), old = try KeyFile(path: path("third")).content()?.file
            #expect(storeError { try third.join(token: again, name: nil) }?.code == .unavailable)
            #expect(try KeyFile(path: path("third")).content()?.file.data() == old?.data())
            #expect(unlink(path("third")) == 0)
            _ = try third.join(token: again, name: nil)
            #expect(try accounts(third) == ["b"])
        }

        /// What a removed machine has kept opens no row of the present.
        @Test func rekey_changesEachKey_andKeepsEachItem() throws {
            let store = store("first")
            for (index, accessible) in [Accessible.always, .whenUnlocked, .afterFirstUnlock].enumerated() {
                try store.insert(.password("\(index)", accessible), interaction: .forbidden)
            }
            let columns = """
                SELECT encode(code, 'hex') FROM secitem.item UNION SELECT encode(sealed, 'hex') FROM secitem.keys
                UNION SELECT encode(primary_key, 'hex') FROM secitem.item UNION SELECT encode(name, 'hex') FROM secitem.store
                UNION SELECT encode(device_key, 'hex') FROM secitem.store UNION SELECT encode(blind, 'hex') FROM secitem.lookup
                """
            let before = Set(try server.administer(columns).split(separator: "\n"))
            #expect(try store.rekey(keychains: [], removing: [], passphrase: nil) == 3)
            let after = Set(try server.administer(columns).split(separator: "\n"))
            #expect(before.count == after.count && before.isDisjoint(with: after))
            #expect(try accounts(self.store("first")) == ["0", "1", "2"])
        }

        /// All keychains of a database have one device key, so all of them change, or none.
        @Test func rekey_needsEachKeychain_andItsPassphrase() throws {
            func protector(_ passphrase: String) -> PassphraseProtector {
                PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
            }
            try add("a", store("first"))
            let other = store("first", name: "other", protector: protector("right"))
            try other.insert(.password("b"), interaction: .allowed)
            let dump = "SELECT string_agg(encode(code, 'hex'), ',' ORDER BY code) FROM secitem.keys"
            let before = try server.administer(dump)
            #expect(
                storeError { try store("first").rekey(keychains: [], removing: [], passphrase: nil) }?.code
                    == .unavailable)
            let wrong = store("first", protector: protector("wrong"))
            let refused = storeError { try wrong.rekey(keychains: ["other"], removing: [], passphrase: nil) }
            #expect(refused?.code == .authenticationFailed && refused?.message.contains("\"other\"") == true)
            #expect(
                storeError { try store("first").rekey(keychains: ["none"], removing: [], passphrase: nil) }?.code
                    == .unavailable)
            #expect(try server.administer(dump) == before)
            #expect(try other.rekey(keychains: ["default"], removing: [], passphrase: nil) == 2)
            #expect(try accounts(store("first")) == ["a"])
            let again = store("first", name: "other", protector: protector("right"))
            #expect(
                try again.records(
                    matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes, .secrets], limit: nil,
                    interaction: .allowed
                ).count == 1)
        }

        @Test func rekey_withADamagedItem_changesNothing() throws {
            for account in ["a", "b"] { try add(account, store("first")) }
            try server.administer(
                """
                UPDATE secitem.item SET secrets = set_byte(secrets, 3, get_byte(secrets, 3) # 1)
                WHERE id = (SELECT max(id) FROM secitem.item)
                """)
            let error = storeError { try store("first").rekey(keychains: [], removing: [], passphrase: nil) }
            #expect(error?.code == .corrupt)
            #expect(try accounts(store("first")) == ["a"])
            // Nobody who wants to stay can prevent it so.
            let items = try store("first").rekey(
                keychains: [], removing: [], passphrase: nil, withoutDamaged: true)
            #expect(items.sealed == 1 && items.leftOut == 1)
            #expect(try accounts(store("first")) == ["a"])
            #expect(try server.administer("SELECT count(*) FROM secitem.item") == "1\n")
        }

        /// A keychain that nobody knows is named by its number, which is what its deletion needs.
        @Test func keychainThatNobodyKnows_isNamedByItsNumber() throws {
            try add("a", store("first"))
            let known = try server.administer("SELECT id FROM secitem.store").trimmingCharacters(in: .newlines)
            try add("b", store("first", name: "secret name"))
            let error = storeError { try store("first").rekey(keychains: [], removing: [], passphrase: nil) }
            let number = try server.administer("SELECT id FROM secitem.store WHERE id <> \(known)")
                .trimmingCharacters(in: .newlines)
            #expect(error?.message.contains("DELETE FROM secitem.store WHERE id IN (\(number))") == true)
            #expect(error?.message.contains(known) == false)
            try server.administer("DELETE FROM secitem.store WHERE id IN (\(number))")
            #expect(try store("first").rekey(keychains: [], removing: [], passphrase: nil) == 1)
        }

        /// A keychain with a device key of its own is in the way of all others, so the error says how it is deleted.
        @Test func keychainWithAnotherDeviceKey_isNamedByItsNumber() throws {
            try add("a", store("first"))
            _ = try token()
            try server.administer(
                """
                INSERT INTO secitem.store (id, name, uuid, device_key, code) OVERRIDING SYSTEM VALUE
                VALUES (17, '\\x01', '\\x02', '\\x03', '\\x04')
                """)
            for error in [
                storeError { try accounts(store("first")) }, storeError { try store("first").members() },
                storeError { try store("first").rekey(keychains: [], removing: [], passphrase: nil) },
            ] {
                #expect(error?.code == .corrupt)
                #expect(error?.message.contains("DELETE FROM secitem.store WHERE id IN (17)") == true)
            }
            try server.administer("DELETE FROM secitem.store WHERE id IN (17)")
            #expect(try store("first").rekey(keychains: [], removing: [], passphrase: nil) == 1)
        }

        /// Rows of the table of members that fit into no answer are in the way of nothing.
        @Test func hugeRowsOfMembers_areDamaged() throws {
            var limits = PostgreSQLLimits.standard
            limits.answerBytes = 1 << 20
            let store = store("first", limits: limits)
            try add("a", store)
            _ = try store.invite(name: nil, seconds: 600)
            try server.administer(
                """
                INSERT INTO secitem.member (id, kind, sealed, details) VALUES
                    ('\\x01', 'member', convert_to(repeat('x', 3000000), 'UTF8'), '\\x00'),
                    ('\\x02', 'member', '\\x00', convert_to(repeat('x', 3000000), 'UTF8')),
                    ('\\x03', repeat('x', 3000000), '\\x00', '\\x00')
                """)
            #expect(try store.members().filter { $0.state == .damaged }.count == 2)
            #expect(try store.rekey(keychains: [], removing: [], passphrase: nil) == 1)
            #expect(try store.members().map(\.state) == [.member])
        }

        /// Another machine's new keys are no keychain that was not named.
        @Test func rekey_duringAnother_isToldToTryAgain() throws {
            try add("a", store("first"))
            _ = try token()
            let fast = PassphraseProtector(sources: [.closure { Secret(Data("right".utf8)) }], cost: .lowest)
            try store("first", name: "other", protector: fast).insert(.password("b"), interaction: .allowed)
            // The passphrase is read when the keychain of before is known already.
            let slow = PassphraseProtector(
                sources: [
                    .closure {
                        _ = try? store("first", protector: fast).rekey(
                            keychains: ["other"], removing: [], passphrase: nil)
                        return Secret(Data("right".utf8))
                    }
                ], cost: .lowest)
            let before = try server.administer("SELECT min(id) FROM secitem.store")
            let error = storeError {
                try store("first", name: "other", protector: slow).rekey(
                    keychains: ["default"], removing: [], passphrase: nil)
            }
            #expect(try server.administer("SELECT min(id) FROM secitem.store") != before)
            #expect(error?.code == .unavailable && error?.message.contains("try again") == true)
            #expect(try accounts(store("first")) == ["a"])
        }

        /// Rows are read in pages that fit into an answer, whatever their size.
        @Test func itemsThatAreTogetherGreaterThanAnAnswer_areReadAndSealedAgain() throws {
            var limits = PostgreSQLLimits.standard
            limits.answerBytes = 1 << 20
            let store = store("first", limits: limits)
            let names = (0..<64).map { "\($0)" }
            for (index, name) in names.enumerated() {
                // Of many sizes, up to more than a page, and together four times as much as an answer.
                var item = ItemRecord.password(name)
                item.secrets[.valueData] = Secret(Data(repeating: 7, count: index * 2_048))
                try store.insert(item, interaction: .forbidden)
            }
            func sizes() throws -> [Int] {
                var sizes: [Int] = []
                try store.survey(interaction: .forbidden) { (item) throws(StoreError) in
                    if case .item(let record) = item { sizes.append(record.secrets[.valueData]?.count ?? -1) }
                }
                return sizes
            }
            let all = names.indices.map { $0 * 2_048 }
            #expect(try sizes() == all)
            for parts in [RecordParts.attributes, [.attributes, .secrets]] {
                let found = try store.records(
                    matching: RecordFilter(itemClass: .genericPassword), parts: parts, limit: nil,
                    interaction: .forbidden)
                #expect(found.count == all.count)
            }
            #expect(try store.rekey(keychains: [], removing: [], passphrase: nil) == all.count)
            #expect(try sizes() == all)
            // A row that fits into no answer is damaged, and in the way of no other.
            try server.administer(
                """
                UPDATE secitem.item SET secrets = convert_to(repeat('x', 3000000), 'UTF8')
                WHERE id = (SELECT min(id) FROM secitem.item)
                """)
            #expect(try sizes() == Array(all.dropFirst()))
            #expect(storeError { try store.rekey(keychains: [], removing: [], passphrase: nil) }?.code == .corrupt)
            let items = try store.rekey(keychains: [], removing: [], passphrase: nil, withoutDamaged: true)
            #expect(items.sealed == all.count - 1 && items.leftOut == 1)
            #expect(try sizes() == Array(all.dropFirst()))
        }

        /// What a program has added is there after each change of keys, and no call of another program fails for it.
        @Test func itemsAddedDuringRekeys_areAllThere() throws {
            let store = store("first")
            try add("first", store)
            _ = try token()
            let running = try (0..<8).map { _ in
                try Program.built("PostgreSQLProbe", ["add", server.user, path("first"), "100"]).start()
            }
            for _ in 0..<5 { _ = try store.rekey(keychains: [], removing: [], passphrase: nil) }
            var added: [String] = []
            for program in running {
                let finished = try program.waitUntilExit()
                #expect(finished.output.hasSuffix("done\n"), "\(finished)")
                added += finished.output.components(separatedBy: "\n").filter { $0.hasPrefix("added ") }
            }
            #expect(added.count == 100)
            let found = try store.records(
                matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes, .secrets], limit: nil,
                interaction: .forbidden)
            #expect(found.count == 101)
            #expect(Set(found.map(\.reference)).count == 101)
        }

        /// The old state or the new one is there, and this machine opens it.
        @Test func killedRekey_leavesOneState() throws {
            let names = (0..<200).map { "\($0)" }
            for name in names { try add(name, store("first")) }
            for round in 0..<8 {
                let program = try Program.built("PostgreSQLProbe", ["rekey", server.user, path("first")]).start()
                try program.waitFor(line: "begun")
                usleep(UInt32(round) * 30_000)
                program.kill()
                #expect(try accounts(store("first")) == names)
                #expect(try server.administer("SELECT count(*) FROM secitem.store") == "1\n")
            }
            _ = try store("first").rekey(keychains: [], removing: [], passphrase: nil)
            #expect(try accounts(store("first")) == names)
        }

        @Test func machines_thatRekeyAtOnce_leaveOneStateForAll() throws {
            try add("a", store("first"))
            for machine in ["second", "third"] { _ = try store(machine).join(token: token(), name: nil) }
            let machines = ["first", "second", "third"]
            let succeeded = Shared<Int>(0)
            DispatchQueue.concurrentPerform(iterations: machines.count) { index in
                let error = storeError {
                    try store(machines[index]).rekey(keychains: [], removing: [], passphrase: nil)
                }
                if error == nil { succeeded.change { $0 += 1 } }
            }
            #expect(succeeded.value >= 1)
            for machine in machines { #expect(try accounts(store(machine)) == ["a"]) }
        }
    }
#endif
