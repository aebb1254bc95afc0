// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore
import TestSupport
import Testing

/// Adding, finding, deleting and dumping passwords, on each kind of store.
@Suite struct PasswordCommandTests {
    /// Beside others that add and delete the same item all the time, `-U` never says that it is missing or there.
    @Test(arguments: CommandFixture.Place.all)
    func update_besideOtherProcesses_stores(place: CommandFixture.Place) throws {
        var fixture = try CommandFixture(place)
        // Not beside other tests, which count the items of the service.
        let world = place == .secretService ? try PrivateBus() : nil
        if let world {
            let address = "DBUS_SESSION_BUS_ADDRESS"
            fixture.environment[address] = world.environment[address]
        }
        let item = ["-s", fixture.prefix, "-a", "a"]
        let program = try fixture.program([]).executable
        let loops = try [["delete-generic-password"] + item, ["add-generic-password"] + item + ["-w", "theirs"]].map {
            let line = ([program] + $0).map { "'\($0)'" }.joined(separator: " ")
            let script = "while [ -e '\(fixture.folder.path)' ]; do \(line) >/dev/null 2>&1; done"
            return try Program("/bin/sh", ["-c", script], environment: fixture.environment).start()
        }
        defer { for loop in loops { loop.send(SIGTERM) } }
        for _ in 0..<12 {
            let stored = try fixture.program(["add-generic-password", "-U"] + item + ["-w", "ours"]).run()
            #expect(stored.status == 0 && stored.errors.isEmpty, "\(stored)")
        }
    }

    @Test(arguments: CommandFixture.Place.all)
    func genericPassword_isShownAsOnAMac(_ place: CommandFixture.Place) throws {
        let fixture = try CommandFixture(place)
        let service = "\(fixture.prefix)-web"
        let added = try fixture.run(
            "add-generic-password", "-a", "anna", "-s", service, "-w", "geheim", "-l", "Label", "-c", "abcd", "-C",
            "note", "-D", "kind", "-j", "jö", "-G", "gen")
        #expect(added.status == 0 && added.output.isEmpty, "\(added)")
        let keychain = place == .embedded ? "HOME/data/secitem" : "secret-service"
        #expect(
            try fixture.golden("find-generic-password", "-s", service, "-g") == """
                keychain: "\(keychain)"
                version: 512
                class: "genp"
                attributes:
                    0x00000007 <blob>="Label"
                    0x00000008 <blob>=<NULL>
                    "acct"<blob>="anna"
                    "agrp"<blob>="security"
                    "cdat"<timedate>=DATE
                    "crtr"<uint32>="abcd"
                    "cusi"<sint32>=<NULL>
                    "desc"<blob>="kind"
                    "gena"<blob>="gen"
                    "icmt"<blob>=0x6AC3B6  "j\\303\\266"
                    "invi"<sint32>=<NULL>
                    "mdat"<timedate>=DATE
                    "nega"<sint32>=<NULL>
                    "prot"<blob>=<NULL>
                    "scrp"<sint32>=<NULL>
                    "svce"<blob>="test-web"
                    "type"<uint32>="note"

                """)
        #expect(try fixture.run("find-generic-password", "-s", service, "-g").errors == "password: \"geheim\"\n")
        #expect(try fixture.run("find-generic-password", "-s", service, "-wa", "anna").output == "geheim\n")
        try fixture.run("delete-generic-password", "-s", service)
    }

    @Test(arguments: CommandFixture.Place.all)
    func internetPassword_isShownAsOnAMac(_ place: CommandFixture.Place) throws {
        let fixture = try CommandFixture(place)
        let server = "\(fixture.prefix).example.com"
        try fixture.run(
            "add-internet-password", "-a", "anna", "-s", server, "-w", "pw", "-r", "htps", "-P", "8443", "-p", "/x",
            "-t", "form", "-d", "domain")
        let keychain = place == .embedded ? "HOME/data/secitem" : "secret-service"
        #expect(
            try fixture.golden("find-internet-password", "-s", server, "-P", "8443") == """
                keychain: "\(keychain)"
                version: 512
                class: "inet"
                attributes:
                    0x00000007 <blob>="test.example.com"
                    0x00000008 <blob>=<NULL>
                    "acct"<blob>="anna"
                    "agrp"<blob>="security"
                    "atyp"<blob>="form"
                    "cdat"<timedate>=DATE
                    "crtr"<uint32>=<NULL>
                    "cusi"<sint32>=<NULL>
                    "desc"<blob>=<NULL>
                    "icmt"<blob>=<NULL>
                    "invi"<sint32>=<NULL>
                    "mdat"<timedate>=DATE
                    "nega"<sint32>=<NULL>
                    "path"<blob>="/x"
                    "port"<uint32>=0x000020FB  "\\000\\000 \\373"
                    "prot"<blob>=<NULL>
                    "ptcl"<uint32>="htps"
                    "scrp"<sint32>=<NULL>
                    "sdmn"<blob>="domain"
                    "srvr"<blob>="test.example.com"
                    "type"<uint32>=<NULL>

                """)
        #expect(try fixture.run("find-internet-password", "-s", server, "-r", "http").status == 44)
        #expect(try fixture.run("delete-internet-password", "-s", server).status == 0)
        #expect(try fixture.run("find-internet-password", "-s", server).status == 44)
    }

    @Test(arguments: CommandFixture.Place.all)
    func statuses_areAMacs(_ place: CommandFixture.Place) throws {
        let fixture = try CommandFixture(place)
        let service = "\(fixture.prefix)-status"
        let missing = try fixture.run("find-generic-password", "-s", service)
        #expect(missing.status == 44)
        #expect(
            missing.errors
                == "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n")
        #expect(try fixture.run("delete-generic-password", "-s", service).status == 44)
        #expect(try fixture.run("add-generic-password", "-s", service, "-w", "x").status == 2)
        #expect(try fixture.run("add-generic-password", "-s", service, "-a", "a", "-w", "x").status == 0)
        let second = try fixture.run("add-generic-password", "-s", service, "-a", "a", "-w", "y")
        #expect(second.status == 45)
        #expect(second.errors.contains("The specified item already exists in the keychain."))
        #expect(try fixture.run("find-generic-password", "-s", service, "-w").output == "x\n")
        let deleted = try fixture.run("delete-generic-password", "-s", service)
        #expect(deleted.status == 0)
        #expect(deleted.errors == "password has been deleted.\n")
        #expect(deleted.output.hasPrefix("keychain: "))
    }

    /// A password is printed unchanged if all of it is printable, and otherwise as hexadecimal bytes.
    @Test(arguments: [
        ("plain", "plain"), ("", ""), (" blank ", " blank "), ("-dash", "-dash"), ("a=b", "a=b"), ("\\", "\\"),
        ("ü", "c3bc"), ("two\nlines", "74776f0a6c696e6573"), ("--x", "--x"), ("-U", "-U"),
    ])
    func password_comesBack(password: String, printed: String) throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", password).status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == printed + "\n")
    }

    /// Swift would convert such bytes to another password or another name.
    @Test func bytesThatAreNoText_areRefused() throws {
        let fixture = try CommandFixture()
        let command = try fixture.program([]).executable
        func shell(_ line: String) throws -> FinishedProgram {
            try Program("/bin/sh", ["-c", line, command], environment: fixture.environment).run()
        }
        for line in ["-a a -s s -w \"$bytes\"", "-a \"$bytes\" -s s -w x", "-a a -s s -w x \"$bytes\""] {
            let direct = try shell("bytes=$(printf 'x\\377'); \"$0\" add-generic-password \(line)")
            #expect(direct.status == 2 && direct.errors.contains("UTF-8"), "\(line): \(direct)")
        }
        let lines = "printf 'add-generic-password -a a -s s -w \\377\\nadd-generic-password -a b -s b -w good\\n'"
        let interactive = try shell("\(lines) | \"$0\" -i")
        #expect(interactive.status == 0 && interactive.errors.contains("UTF-8"))
        #expect(try fixture.run("find-generic-password", "-s", "s").status == 44)
        #expect(try fixture.run("find-generic-password", "-s", "b", "-w").output == "good\n")
        // On standard input, the bytes are kept.
        #expect(try shell("printf '\\377\\n' | \"$0\" add-generic-password -a a -s s -w").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "ff\n")
    }

    @Test func hexadecimalPassword_isItsBytes() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-X", "00fF61").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "00ff61\n")
        for wrong in ["0", "0g", "0x00"] {
            #expect(try fixture.run("add-generic-password", "-s", "t", "-a", "a", "-X", wrong).status == 2)
        }
        #expect(try fixture.run("find-generic-password", "-s", "t").status == 44)
    }

    /// `-U` changes only the given values.
    @Test(arguments: CommandFixture.Place.all)
    func update_leavesWhatWasNotGiven(_ place: CommandFixture.Place) throws {
        let fixture = try CommandFixture(place)
        let service = "\(fixture.prefix)-update"
        let add = ["add-generic-password", "-U", "-s", service, "-a", "a"]
        #expect(try fixture.program(add + ["-w", "one", "-l", "first"]).run().status == 0)
        #expect(try fixture.program(add + ["-w", "two"]).run().status == 0)
        #expect(try fixture.run("find-generic-password", "-s", service, "-l", "first", "-w").output == "two\n")
        #expect(try fixture.program(add + ["-l", "second"]).run().status == 0)
        #expect(try fixture.run("find-generic-password", "-s", service, "-l", "second", "-w").output == "two\n")
        try fixture.run("delete-generic-password", "-s", service)
    }

    /// A delete removes one item, which is the one that was shown.
    @Test func deletion_takesOneItem() throws {
        let fixture = try CommandFixture()
        for account in ["a", "b", "c"] {
            try fixture.run("add-generic-password", "-s", "s", "-a", account, "-w", account)
        }
        let deleted = try fixture.run("delete-generic-password", "-s", "s")
        #expect(deleted.output.contains("\"acct\"<blob>=\"a\""))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "b\n")
        #expect(try fixture.run("dump-keychain").output.components(separatedBy: "keychain: ").count == 3)
    }

    /// Items of every application are found. If another application has the same item, an add fails.
    @Test func itemsOfOtherApplications_areSeen() throws {
        var fixture = try CommandFixture()
        fixture.environment["SECITEM_APPLICATION_IDENTIFIER"] = "org.example.app"
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "theirs")
        fixture.environment["SECITEM_APPLICATION_IDENTIFIER"] = nil
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "theirs\n")
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "mine").status == 45)
        #expect(try fixture.run("add-generic-password", "-U", "-s", "s", "-a", "a", "-w", "changed").status == 0)
        #expect(try fixture.run("dump-keychain", "-d").output.components(separatedBy: "data:").count == 2)
        let own = ["-s", "s", "-a", "a", "--access-group", "security"]
        #expect(try fixture.program(["add-generic-password", "-w", "mine"] + own).run().status == 0)
        #expect(try fixture.program(["find-generic-password", "-w"] + own).run().output == "mine\n")
        let group = try fixture.run("find-generic-password", "-s", "s", "-w", "--access-group", "org.example.app")
        #expect(group.output == "changed\n")
    }

    /// If several items match, the command lists them and changes none.
    @Test func updateThatMayMeanSeveral_namesTheGroups() throws {
        let fixture = try CommandFixture()
        for group in ["org.example.b", "org.example.a"] {
            try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", group, "--access-group", group)
        }
        let result = try fixture.run("add-generic-password", "-U", "-s", "s", "-a", "a", "-w", "new")
        #expect(result.status == 2)
        #expect(result.errors.contains("\"org.example.a\", \"org.example.b\": name one with --access-group"))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "org.example.b\n")
    }

    /// Items of one group are listed by what tells them apart, and without their secrets.
    @Test func updateThatMayMeanSeveral_listsThem() throws {
        let fixture = try CommandFixture()
        for (path, secret) in [("/a", "S3CRET1"), ("/b", "S3CRET2")] {
            let item = [
                "-s", "example.org", "-a", "anna", "-p", path, "-P", "8080", "--access-group", "org.example.app",
            ]
            try fixture.program(["add-internet-password", "-w", secret] + item).output()
        }
        let result = try fixture.run("add-internet-password", "-U", "-s", "example.org", "-a", "anna", "-w", "S3CRET3")
        #expect(result.status == 2 && !result.errors.contains("S3CRET"))
        for path in ["/a", "/b"] {
            let line = "\"example.org\" of \"anna\" (org.example.app), port \"8080\", path \"\(path)\""
            #expect(result.errors.contains(line), "\(result.errors)")
        }
        #expect(try fixture.run("find-internet-password", "-p", "/b", "-w").output == "S3CRET2\n")
    }

    @Test func emptyAccessGroup_isAWrongCommandLine() throws {
        let fixture = try CommandFixture()
        let item = ["-s", "s", "-a", "a", "--access-group", ""]
        #expect(try fixture.program(["add-generic-password", "-w", "x"] + item).run().status == 2)
        for command in ["add-internet-password", "find-generic-password", "delete-internet-password"] {
            #expect(try fixture.program([command] + item).run().status == 2, "\(command)")
        }
        #expect(try fixture.run("dump-keychain", "--access-group", "").status == 2)
        #expect(try fixture.run("dump-keychain").output.isEmpty)
    }

    @Test func fourCharacterCode_ofAnotherLength_isExplained() throws {
        let fixture = try CommandFixture()
        for option in ["-r", "-t", "-c", "-C"] {
            let result = try fixture.run("find-internet-password", option, "smb")
            #expect(result.status == 2)
            #expect(
                result.errors.contains(
                    "four-character types must be exactly 4 characters long. (Try \"smb \" instead of \"smb\")"))
        }
    }

    @Test func dump_showsItemsOfEveryClassAndTheirData() throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "one")
        try fixture.run("add-internet-password", "-s", "s", "-a", "a", "-w", "zwölf")
        let generic = """
            keychain: "HOME/data/secitem"
            version: 512
            class: "genp"
            attributes:
                0x00000007 <blob>="s"
                0x00000008 <blob>=<NULL>
                "acct"<blob>="a"
                "agrp"<blob>="security"
                "cdat"<timedate>=DATE
                "crtr"<uint32>=<NULL>
                "cusi"<sint32>=<NULL>
                "desc"<blob>=<NULL>
                "gena"<blob>=<NULL>
                "icmt"<blob>=<NULL>
                "invi"<sint32>=<NULL>
                "mdat"<timedate>=DATE
                "nega"<sint32>=<NULL>
                "prot"<blob>=<NULL>
                "scrp"<sint32>=<NULL>
                "svce"<blob>="s"
                "type"<uint32>=<NULL>

            """
        let internet = """
            keychain: "HOME/data/secitem"
            version: 512
            class: "inet"
            attributes:
                0x00000007 <blob>="s"
                0x00000008 <blob>=<NULL>
                "acct"<blob>="a"
                "agrp"<blob>="security"
                "atyp"<blob>="dflt"
                "cdat"<timedate>=DATE
                "crtr"<uint32>=<NULL>
                "cusi"<sint32>=<NULL>
                "desc"<blob>=<NULL>
                "icmt"<blob>=<NULL>
                "invi"<sint32>=<NULL>
                "mdat"<timedate>=DATE
                "nega"<sint32>=<NULL>
                "path"<blob>=<NULL>
                "port"<uint32>=0x00000000\(" ")
                "prot"<blob>=<NULL>
                "ptcl"<uint32>=0x00000000\(" ")
                "scrp"<sint32>=<NULL>
                "sdmn"<blob>=<NULL>
                "srvr"<blob>="s"
                "type"<uint32>=<NULL>

            """
        #expect(try fixture.golden("dump-keychain") == generic + internet)
        let access = "no access control for this item\n"
        #expect(
            try fixture.golden("dump-keychain", "-ad") == generic + "data:\n\"one\"\n" + access + internet
                + "data:\n0x7A77C3B66C66  \"zw\\303\\266lf\"\n" + access)
        #expect(try fixture.run("dump-keychain", "-r").status == 2)
    }

    @Test func accessOptions_areSaidToMeanNothingWithV() throws {
        let fixture = try CommandFixture()
        let add = ["add-generic-password", "-a", "a", "-w", "x", "-A", "-T", "/bin/x", "-T", "/bin/y", "-s"]
        #expect(try fixture.program(add + ["quiet"]).run().errors.isEmpty)
        let said = try fixture.program(["-v"] + add + ["loud"]).run().errors
        #expect(said.components(separatedBy: "-T has no effect on Linux").count == 2)
        #expect(said.contains("-A has no effect on Linux"))
        #expect(!said.contains("secret"))
        // The option would require a confirmation for each use.
        #expect(try fixture.run("add-generic-password", "-a", "b", "-s", "s", "-w", "x", "-T", "").status == 2)
    }

    private func addMoreThanAPipeHolds(to fixture: CommandFixture) throws {
        let comment = String(repeating: "c", count: 10_000)
        let add = (0..<20).map { "add-generic-password -s s\($0) -a a -w x -j \(comment)" }.joined(separator: "\n")
        #expect(try fixture.run("-i", input: add).status == 0)
    }

    /// If a program stops reading the output, the command ends in the usual way, and no change is left incomplete.
    @Test func closedPipe_isNoTrap() throws {
        let fixture = try CommandFixture()
        try addMoreThanAPipeHolds(to: fixture)
        let command = try fixture.program([]).executable
        let pipeline = Program(
            "/bin/bash", ["-c", "'\(command)' dump-keychain | head -1; echo ${PIPESTATUS[0]}"],
            environment: fixture.environment)
        let lines = try pipeline.run().lines
        #expect(lines.first?.hasPrefix("keychain: ") == true)
        #expect(["0", "141"].contains(lines.last))
    }

    /// A slow reader of a non-blocking pipe gets all output.
    @Test func pipeThatDoesNotBlock_getsEverything() throws {
        let fixture = try CommandFixture()
        try addMoreThanAPipeHolds(to: fixture)
        let whole = try fixture.run("dump-keychain").output
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        // For all processes that write to it.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        // The pipe is full before the command begins.
        let before = [UInt8](repeating: 0, count: 4096)
        var expected: [UInt8] = []
        while write(ends[1], before, before.count) == before.count { expected += before }
        expected += Array(whole.utf8)
        let command = Process()
        command.executableURL = URL(fileURLWithPath: try fixture.program([]).executable)
        command.arguments = ["dump-keychain"]
        command.environment = fixture.environment
        command.standardOutput = FileHandle(fileDescriptor: ends[1])
        try command.run()
        close(ends[1])
        defer { close(ends[0]) }
        var read: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        usleep(500_000)
        while read.count < expected.count {
            var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 20_000) == 1 else { break }
            let count = Foundation.read(ends[0], &buffer, buffer.count)
            guard count > 0 else { break }
            read += buffer[..<count]
        }
        command.waitUntilExit()
        #expect(command.terminationStatus == 0)
        #expect(read.elementsEqual(expected))
    }

    /// An item is deleted only after it was shown.
    @Test func deletion_thatCannotBeShown_deletesNothing() throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        let command = try fixture.program([]).executable
        let shell = Program(
            "/bin/sh", ["-c", "'\(command)' delete-generic-password -s s > /dev/full"], environment: fixture.environment
        )
        let result = try shell.run()
        #expect(result.status == 1 && result.errors.contains("cannot be written"))
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
    }

    /// Without attributes, the command would delete the oldest item of some application.
    @Test(arguments: ["delete-generic-password", "delete-internet-password"])
    func deletion_ofNothingInParticular_isRefused(command: String) throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        try fixture.run("add-internet-password", "-s", "s", "-a", "a", "-w", "x")
        #expect(try fixture.run(command).status == 2)
        #expect(try fixture.run(command, "login.keychain").status == 2)
        #expect(try fixture.run("dump-keychain").output.components(separatedBy: "keychain: ").count == 3)
    }

    /// Other programs have items of the same account. Only those whose service or server is named are deleted.
    @Test(.enabled(if: PrivateBus.shared != nil)) func deletion_byAccount_sparesOtherPrograms() throws {
        let world = try PrivateBus()
        var fixture = try CommandFixture(.secretService)
        fixture.environment["DBUS_SESSION_BUS_ADDRESS"] = world.environment["DBUS_SESSION_BUS_ADDRESS"]
        try world.tool("secret-tool", "store", "--label=Theirs", "service", "theirs", "username", "anna", input: "x")
        try world.tool(
            "secret-tool", "store", "--label=Theirs", "server", "theirs", "user", "anna", "protocol", "https",
            input: "x")
        for kind in ["generic", "internet"] {
            let command = "delete-\(kind)-password"
            for line in [["-a", "anna"], ["-l", "Theirs"], ["-a", "anna", "-s", ""]] {
                let end = try fixture.program([command] + line).run()
                #expect(end.status != 0, "\(end)")
                #expect(try fixture.run("find-\(kind)-password", "-s", "theirs", "-w").output == "x\n", "\(line)")
            }
            let named = try fixture.run(command, "-s", "theirs", "-a", "anna")
            #expect(named.status == 0, "\(named)")
            #expect(try fixture.run("find-\(kind)-password", "-s", "theirs").status == 44)
        }
    }

    /// A line of a megabyte is read like any other.
    @Test func longLine_isRead() throws {
        let fixture = try CommandFixture()
        let value = String(repeating: "x", count: 1_000_000)
        let line = "add-generic-password -s s -a a -w y -j \"\(value)\""
        #expect(try fixture.run("-i", input: line + "\n").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s").output.contains(value))
    }

    @Test func outputThatCannotBeWritten_isNoSuccess() throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", "x")
        let command = try fixture.program([]).executable
        let shell = Program(
            "/bin/sh", ["-c", "'\(command)' find-generic-password -s s -w > /dev/full"],
            environment: fixture.environment)
        let result = try shell.run()
        #expect(result.status == 1)
        #expect(result.errors.contains("cannot be written"))
    }

    @Test func thousandsOfItems_areDumpedAndOneIsFound() throws {
        let fixture = try CommandFixture()
        let store = try SQLiteStore(
            location: StoreLocation(folder: fixture.folder.path + "/data/secitem"), cache: .none)
        let now = AttributeValue.date(Date())
        let records = (0..<2_000).map { number in
            ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [
                    .service: .string("s\(number)"), .account: .string("a"), .accessGroup: .string("app"),
                    .accessible: .string("ak"), .synchronizable: .integer(0), .creationDate: now,
                    .modificationDate: now, .tombstone: .integer(0), .multiUser: .data(Data()),
                ],
                secrets: [.valueData: Secret(Data("p\(number)".utf8))])
        }
        try store.insert(records, interaction: .forbidden)
        #expect(try fixture.run("find-generic-password", "-s", "s1999", "-w").output == "p1999\n")
        let dump = try fixture.run("dump-keychain", "-d")
        #expect(dump.status == 0)
        #expect(dump.lines.count { $0.hasPrefix("keychain: ") } == 2_000)
        #expect(dump.lines.last == "\"p1999\"")
    }

    /// If many commands add the same item at the same time, one succeeds, and the others fail.
    @Test func additionsAtOnce_makeOneItem() throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "other", "-a", "a", "-w", "x")
        let running = try (0..<6).map { number in
            try fixture.program(["add-generic-password", "-s", "s", "-a", "a", "-w", "\(number)"]).start()
        }
        let statuses = try running.map { try $0.waitUntilExit().status }.sorted()
        #expect(statuses == [0, 45, 45, 45, 45, 45])
    }

    /// With `-U`, all of them succeed, one after another.
    @Test func updatesAtOnce_allSucceed() throws {
        let fixture = try CommandFixture()
        try fixture.run("add-generic-password", "-s", "other", "-a", "a", "-w", "x")
        let running = try (0..<8).map { number in
            try fixture.program(["add-generic-password", "-U", "-s", "s", "-a", "a", "-w", "\(number)"]).start()
        }
        #expect(try running.map { try $0.waitUntilExit().status } == Array(repeating: 0, count: 8))
        #expect(try fixture.run("dump-keychain").output.components(separatedBy: "keychain: ").count == 3)
    }
}
