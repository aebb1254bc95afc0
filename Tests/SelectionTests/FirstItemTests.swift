// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemGnome
    import SecItemShim
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemSelection

    /// The record of where an application's items are, from before its first item.
    ///
    /// The laws: an application that has an item in the Secret Service is recorded there, at every moment from before the
    /// item. An application that has stored nothing is not recorded, whatever it tried.
    @Suite(
        .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring is started for a test"), .timeLimit(.minutes(60)))
    struct FirstItemTests {
        private static let identifier = "org.example.first"

        private func environment(_ world: PrivateBus, hasBus: Bool = true) -> [String: String] {
            var environment = world.variables
            environment["SECITEM_APPLICATION_IDENTIFIER"] = Self.identifier
            if !hasBus { environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/none" }
            return environment
        }

        private func probe(_ world: PrivateBus, _ arguments: String..., hasBus: Bool = true) throws -> Probe {
            try Probe(arguments, environment: environment(world, hasBus: hasBus))
        }

        private func files(_ world: PrivateBus) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: world.folder + "/state/secitem")) ?? []).sorted()
        }

        private func place(_ world: PrivateBus) throws -> ItemPlace? {
            try PlaceFile(environment: world.variables, identifier: Self.identifier).place
        }

        /// A service that the bus can start, by that command.
        private func describeService(_ world: PrivateBus, _ command: String) throws {
            try "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(command)\n".write(
                toFile: world.folder + "/services/org.freedesktop.secrets.service", atomically: true, encoding: .utf8)
            let call = [
                "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                "org.freedesktop.DBus.ReloadConfig",
            ]
            try Program("gdbus", call, environment: world.environment).output()
        }

        // MARK: Adds that store nothing

        /// There is no collection, or it is locked, and nobody can be asked.
        @Test(arguments: [PrivateBus.State.empty, .locked])
        func failedAdd_leavesNoRecord_andNothingIsMissedWithoutABus(_ state: PrivateBus.State) throws {
            let world = try PrivateBus(state)
            for number in 0..<4 {
                #expect(try probe(world, "add", "\(number)").lines == ["-25308"])
                #expect(files(world) == [], "\(number)")
            }
            #expect(try probe(world, "find", "1", hasBus: false).lines == ["-25300"])
            #expect(try probe(world, "add", "1", hasBus: false).lines == ["0"])
            #expect(try place(world) == .embedded(folder: world.folder + "/data/secitem"))
            #expect(files(world).count == 1)
            // And those items are found where a service answers.
            #expect(try probe(world, "find", "1").lines == ["0"])
        }

        /// Several threads of several programs try at once.
        @Test func failedAdds_atOnce_leaveNoRecord() throws {
            let world = try PrivateBus(.locked)
            let workers = (0..<6).map { number in
                Worker {
                    for _ in 0..<3 { #expect((try? probe(world, "add", "\(number)").lines) == ["-25308"]) }
                }
            }
            workers.forEach { $0.join() }
            #expect(files(world) == [])
        }

        /// Those that fail never take away the record of the one that succeeds.
        @Test func addThatSucceeds_amongOthersThatFail_isRecorded() throws {
            let world = try PrivateBus()
            for round in 0..<8 {
                let account = "round \(round)"
                let workers = (0..<6).map { _ in Worker { _ = try? probe(world, "add", account) } }
                workers.forEach { $0.join() }
                #expect(try place(world) == .secretService)
                #expect(files(world).count == 1)
                #expect(try probe(world, "delete", account).lines == ["0"])
                try PlaceFile(environment: world.variables, identifier: Self.identifier).remove()
            }
        }

        /// Whichever call the service refuses, or dies at: nothing is recorded unless the item was, or may have been, stored.
        @Test(arguments: ["ReadAlias", "SearchItems", "CreateItem"])
        func serviceThatDies_leavesARecordOnlyIfTheItemMayBeThere(_ method: String) throws {
            let world = try PrivateBus()
            let file = PlaceFile(environment: world.variables, identifier: Self.identifier)
            var configuration = LibsecretStore.Configuration(environment: world.environment)
            configuration.record = file.recording(.secretService, isNeeded: true)
            let kills = Shared(0)
            configuration.beforeCall = { name in
                guard name == method, kills.value == 0 else { return }
                kills.change { $0 += 1 }
                try? world.run("kill")
            }
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [.account: .string("one"), .accessGroup: .string(Self.identifier)],
                secrets: [.valueData: Secret(Data("one".utf8))])
            #expect(throws: StoreError.self) {
                try LibsecretStore(configuration: configuration).insert(record, interaction: .forbidden)
            }
            #expect(kills.value == 1)
            #expect(try file.place == (method == "CreateItem" ? .secretService : nil))
        }

        /// The item is refused in the moment in which it would be created.
        @Test func collectionThatIsLockedMeanwhile_leavesNoRecord() throws {
            let world = try PrivateBus()
            let file = PlaceFile(environment: world.variables, identifier: Self.identifier)
            var configuration = LibsecretStore.Configuration(environment: world.environment)
            configuration.record = file.recording(.secretService, isNeeded: true)
            let moments = Shared<[ItemPlace?]>([])
            configuration.beforeCall = { name in
                guard name == "CreateItem" else { return }
                // The record comes first.
                moments.change { $0.append((try? file.place) ?? nil) }
                try? world.run("lock")
            }
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [.account: .string("one"), .accessGroup: .string(Self.identifier)],
                secrets: [.valueData: Secret(Data("one".utf8))])
            let error = #expect(throws: StoreError.self) {
                try LibsecretStore(configuration: configuration).insert(record, interaction: .forbidden)
            }
            #expect(error?.code == .locked)
            #expect(!moments.value.isEmpty && moments.value.allSatisfy { $0 == .secretService })
            #expect(files(world) == [])
        }

        // MARK: Services that are not there

        /// A program that the bus knows, and that does not start, or never answers, is no Secret Service.
        @Test(arguments: ["/bin/false", "/nonexistent/program", "/bin/sleep 40"])
        func serviceThatCannotStart_isNotThere(_ command: String) throws {
            let world = try PrivateBus(.bus)
            try describeService(world, command)
            #expect(try probe(world, "find", "one").lines == ["-25300"])
            #expect(files(world) == [])
            #expect(try probe(world, "add", "one").lines == ["0"])
            #expect(try place(world) == .embedded(folder: world.folder + "/data/secitem"))
            #expect(try probe(world, "summary").lines[0].contains("the application has items in it"))
        }

        /// A service that owns the name and is frozen has not answered.
        @Test func serviceThatIsFrozen_isNotThere() throws {
            let world = try PrivateBus()
            let process = try #require(world.providerProcess)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            #expect(try probe(world, "add", "one").lines == ["0"])
            #expect(try place(world) == .embedded(folder: world.folder + "/data/secitem"))
        }

        @Test func serviceThatTheBusStarts_isThere() throws {
            let world = try PrivateBus(.bus)
            try describeService(world, "/usr/bin/gnome-keyring-daemon --foreground --components=secrets")
            #expect(try probe(world, "summary").lines[0].contains("a Secret Service answers on the session bus"))
        }

        // MARK: A crash in between

        /// The program dies after it has written the record, before or after it has stored the item: at no moment is there an
        /// item in the Secret Service for which a program without a bus finds an empty keychain, and no file is left over.
        @Test func deathAtAnyMoment_neverHidesAnItem() throws {
            let world = try PrivateBus()
            var outcomes: Set<String> = []
            for round in 0..<30 {
                let running = try Program(
                    try Probe.path, ["add", "one"], environment: environment(world)
                ).start()
                usleep(UInt32(round) * 6_000)
                running.kill()
                let recorded = try place(world)
                let withoutBus = try probe(world, "find", "one", hasBus: false).lines
                #expect(withoutBus == [recorded == .secretService ? "-25291" : "-25300"])
                let found = try probe(world, "find", "one").lines
                if found == ["0"] { #expect(recorded == .secretService) }
                #expect(files(world).count <= 1)
                outcomes.insert("\(found) \(recorded?.name ?? "none")")
                _ = try probe(world, "delete", "one")
                try PlaceFile(environment: world.variables, identifier: Self.identifier).remove()
            }
            #expect(outcomes.contains("[\"-25300\"] none"), "\(outcomes)")
        }

        /// The record alone is there: calls say that the service is away, and go there when it is back.
        @Test func recordWithoutAnItem_keepsTheChoice() throws {
            let world = try PrivateBus()
            _ = try PlaceFile(environment: world.variables, identifier: Self.identifier).write(.secretService) { _ in
                true
            }
            #expect(try probe(world, "add", "one", hasBus: false).lines == ["-25291"])
            #expect(try probe(world, "add", "one").lines == ["0"])
            #expect(try probe(world, "find", "one", hasBus: false).lines == ["-25291"])
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/data/secitem"))
        }

        /// Whoever asks for the other store is told that the application's items are elsewhere.
        @Test(arguments: ["embedded", "secret-service"]) func otherStoreThatIsAskedFor_isSaid(_ store: String) throws {
            let world = try PrivateBus()
            let isEmbedded = store == "embedded"
            #expect(try probe(world, "add", "one", hasBus: isEmbedded).lines == ["0"])
            let asking = environment(world).merging(["SECITEM_STORE": store]) { $1 }
            let added = try Probe(["add", "two"], environment: asking)
            #expect(added.lines == ["0"] && added.errors.contains("had items in another keychain"), "\(added.errors)")
            // An item in the Secret Service is always recorded.
            #expect(try place(world) == .secretService)
            #expect(try probe(world, "find", "one", hasBus: false).lines == ["-25291"])
            #expect(try probe(world, "find", isEmbedded ? "one" : "two").lines == ["0"])
        }
    }
#endif
