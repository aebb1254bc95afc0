// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Security
import Testing

extension OnChips {
    /// Rules for a keychain in a PostgreSQL database, where the chip of a machine seals its key file.
    @Suite struct SharedKeychainTests {
        private let database: Database
        private let first: Member, second: Member

        /// Each asks for the chip.
        private static let byEnvironment = ["SECITEM_PROTECTOR": "tpm"]
        private static let byProgram = ["CHIP_PROBE_STORE": "tpm"]
        private static let withoutChip = ["SECITEM_TPM": "none"]
        private let chip = Self.byEnvironment

        init() throws {
            database = try Database()
            first = Member(machine: try Machine(), database: database)
            second = Member(machine: try Machine(), database: database)
        }

        // MARK: Another machine

        /// A copy of the file opens nothing elsewhere, and this machine needs no setting to open it. That holds for the device
        /// key and for the machine's own key, also when programs that do not ask for a chip put one in the place of the other.
        @Test func copyOfTheKeyFile_opensNothingOnAnotherMachine() throws {
            #expect(try first.probe("add", "a", chip) == "0")
            for invites in [false, true] {
                if invites { #expect(try first.security(["fleet", "invite"]).status == 0) }
                let file = try first.file
                #expect(file.isSealed)
                for setting in [Self.byEnvironment, Self.byProgram, [:]] {
                    #expect(try first.probe("find", "a", setting) == "secret of a")
                    let summary = try first.probe("summary", "", setting)
                    #expect(summary.contains("\(first.keyFile), which this machine's TPM has sealed"), "\(summary)")
                }
                #expect(try first.security(["doctor"], chip).status == 0)
                // Only the file: the other machine has another chip, or none.
                try second.put(file)
                for setting in [Self.byEnvironment, Self.byProgram, [:]] {
                    #expect(try second.probe("find", "a", setting) == "\(errSecNotAvailable)")
                    #expect(try second.probe("add", "b", setting) == "\(errSecNotAvailable)")
                    let without = setting.merging(Self.withoutChip) { $1 }
                    #expect(try second.probe("find", "a", without) == "\(errSecNotAvailable)")
                    #expect(try second.probe("add", "b", without) == "\(errSecNotAvailable)")
                }
                let logged = try second.run("ChipProbe", ["find", "a"], ["SECITEM_LOG": "error"]).errors
                #expect(logged.contains(second.keyFile) && logged.contains("fleet join"), "\(logged)")
                let doctor = try second.security(["doctor"])
                #expect(doctor.status != 0 && doctor.output.contains("fleet join"), "\(doctor.output)")
                #expect(try second.security(["fleet", "seal"]).status != 0)
                #expect(try second.file == file && second.others.isEmpty)
                #expect(try first.probe("find", "b", chip) == "\(errSecItemNotFound)")
                try second.put(nil)
            }
            // The former key file too.
            let former = first.others
            #expect(former.count == 1 && former.allSatisfy { $0.hasPrefix("key.device-") })
            for name in former { #expect(try first.read(name).isSealed) }
        }

        /// Members with and without a chip open the same items, and removal and new keys concern none of their key files.
        @Test func members_areEachProtectedAsTheyAsk() throws {
            let third = Member(machine: try Machine(), database: database)
            #expect(try first.probe("add", "a", chip) == "0")
            for (member, setting) in [(second, [:]), (third, chip)] {
                let token = try first.security(["fleet", "invite"], chip).output
                #expect(try member.security(["fleet", "join"], setting, input: token).status == 0)
            }
            func sealed() throws -> [Bool] { try [first, second, third].map { try $0.file.isSealed } }
            #expect(try sealed() == [true, false, true])
            for (index, (member, setting)) in [(first, chip), (second, [:]), (third, chip)].enumerated() {
                #expect(try member.probe("add", "item \(index)", setting) == "0")
                let list = try member.security(["fleet", "list"], setting).output
                let own = list.components(separatedBy: "\n").filter { $0.contains("(this machine") }
                #expect(own.count == 1 && own[0].contains("sealed by its TPM") == !setting.isEmpty, "\(list)")
                let json = try member.security(["fleet", "list", "--json"], setting).output
                #expect(json.contains("\"isKeyFileSealed\" : \(!setting.isEmpty)"), "\(json)")
                #expect(json.components(separatedBy: "isKeyFileSealed").count == 2)
            }
            let files = try [first.file, second.file, third.file]
            #expect(try second.security(["rekey"]).status == 0)
            for (member, setting) in [(first, chip), (second, [:]), (third, chip)] {
                for index in 0..<3 { #expect(try member.probe("find", "item \(index)", setting) != "") }
                #expect(try member.probe("find", "item 2", setting) == "secret of item 2")
            }
            let own = try third.security(["fleet", "list"], chip).output.components(separatedBy: "\n")
                .first { $0.contains("(this machine") }
            let fingerprint = String(try #require(own).prefix(16))
            #expect(try second.security(["fleet", "remove", fingerprint]).status == 0)
            #expect(try third.probe("find", "a", chip) == "\(errSecNotAvailable)")
            for (member, setting) in [(first, chip), (second, [:])] {
                #expect(try member.probe("find", "a", setting) == "secret of a")
            }
            #expect(try [first.file, second.file, third.file] == files)
        }

        // MARK: Less protection than asked for

        /// Nothing uses a plain key file where a chip is asked for, until somebody has the chip seal it. Former files go with it.
        @Test(arguments: ["command", "seal", "protect"])
        func plainKeyFile_isRefused_untilTheChipHasSealedIt(_ way: String) throws {
            #expect(try first.probe("add", "a") == "0")
            #expect(try first.security(["fleet", "invite"]).status == 0)
            let file = try first.file, rows = try database.ask("SELECT count(*) FROM secitem.item")
            #expect(!file.isSealed && first.others.count == 1)
            for setting in [Self.byEnvironment, Self.byProgram] {
                #expect(try first.probe("find", "a", setting) == "\(errSecNotAvailable)")
                #expect(try first.probe("add", "b", setting) == "\(errSecNotAvailable)")
            }
            for command in [["fleet", "list"], ["fleet", "invite"], ["rekey", "--yes"], ["doctor"]] {
                let result = try first.security(command, chip)
                #expect(result.status != 0)
                #expect((result.output + result.errors).contains("security fleet seal"), "\(result)")
            }
            // Without a chip, nobody can seal it.
            #expect(try first.probe("seal", "", Self.withoutChip) == "\(errSecNotAvailable)")
            #expect(try first.file == file)
            #expect(try database.ask("SELECT count(*) FROM secitem.item") == rows)
            switch way {
            case "command":
                #expect(try first.security(["fleet", "seal"]).status == 0)
                #expect(try first.security(["fleet", "seal"], chip).errors.contains("already"))
            default: #expect(try first.probe(way, "", chip) == "ok")
            }
            #expect(try first.file.isSealed && first.others.count == 1)
            for name in first.others { #expect(try first.read(name).isSealed) }
            for setting in [Self.byEnvironment, Self.byProgram, [:]] {
                #expect(try first.probe("find", "a", setting) == "secret of a")
            }
            #expect(try first.security(["doctor"], chip).status == 0)
        }

        /// A link's target would stay as it is.
        @Test func linkToAKeyFile_isNotSealed() throws {
            #expect(try first.probe("add", "a") == "0")
            let target = first.machine.folder.path + "/target"
            try FileManager.default.moveItem(atPath: first.keyFile, toPath: target)
            try FileManager.default.createSymbolicLink(atPath: first.keyFile, withDestinationPath: target)
            #expect(try first.probe("find", "a") == "secret of a")
            #expect(try first.probe("seal", "") == "\(errSecNotAvailable)")
            #expect(try first.probe("find", "a") == "secret of a")
            #expect(try !first.file.isSealed)
        }

        /// Without a chip that works, no key file and no keychain are made, and a token stays good.
        @Test(arguments: [true, false])
        func withoutAChip_nothingIsMade(_ isAbsent: Bool) throws {
            let setting = isAbsent ? chip.merging(Self.withoutChip) { $1 } : chip
            func trouble(_ member: Member, _ body: () throws -> Void) throws {
                if !isAbsent { member.machine.stopChip() }
                try body()
                if !isAbsent { try member.machine.startChip() }
            }
            try trouble(first) { () throws in
                let added = try first.run("ChipProbe", ["add", "a"], setting.merging(["SECITEM_LOG": "error"]) { $1 })
                #expect(added.output == "\(errSecNotAvailable)")
                #expect(added.errors.contains(first.keyFile), "\(added.errors)")
                #expect(!first.hasFile && first.others.isEmpty)
                #expect(try database.ask("SELECT count(*) FROM secitem.store") == "0")
            }
            #expect(try first.probe("add", "a", chip) == "0")
            let token = try first.security(["fleet", "invite"], chip).output.trimmingCharacters(in: .newlines)
            try trouble(second) { () throws in
                #expect(try second.probe("join", token, setting) == "\(errSecNotAvailable)")
                #expect(!second.hasFile && second.others.isEmpty)
            }
            #expect(try second.probe("join", token, chip) == "ok")
            #expect(try second.file.isSealed)
            #expect(try second.probe("find", "a", chip) == "secret of a")
        }

        /// A program that has the keychain open goes on. Another one gets a status, and works when the chip does.
        @Test func chipThatFails_isAStatus_untilItWorksAgain() throws {
            #expect(try first.probe("add", "a", chip) == "0")
            let holding = try first.begin("ChipProbe", ["hold", "a"], chip)
            #expect(holding.line() == "secret of a")
            first.machine.stopChip()
            for setting in [Self.byEnvironment, Self.byProgram, [:]] {
                #expect(try first.probe("find", "a", setting) == "\(errSecNotAvailable)")
            }
            let doctor = try first.security(["doctor"], chip)
            #expect(doctor.status != 0 && doctor.output.contains("TPM"), "\(doctor.output)")
            holding.write("\n")
            #expect(holding.line() == "secret of a")
            holding.process.waitUntilExit()
            try first.machine.startChip()
            #expect(try first.probe("find", "a", chip) == "secret of a")
        }

        @Test func otherWordForTheProtector_isRefused() throws {
            #expect(try first.probe("add", "a", ["SECITEM_PROTECTOR": "TPM"]) == "\(errSecNotAvailable)")
            #expect(!first.hasFile)
        }

        /// The chip and a passphrase do not replace each other.
        @Test func passphraseAndChip_areBothNeeded() throws {
            let path = first.machine.folder.path + "/passphrase"
            try Data("right".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
            let both = chip.merging(["SECITEM_PASSPHRASE_FILE": path]) { $1 }
            #expect(try first.probe("add", "a", both) == "0")
            #expect(try first.file.isSealed)
            #expect(try first.probe("find", "a", both) == "secret of a")
            #expect(try first.probe("find", "a", chip) == "\(errSecInteractionNotAllowed)")
            #expect(try first.probe("find", "a", both.merging(Self.withoutChip) { $1 }) == "\(errSecNotAvailable)")
            try second.put(first.file)
            #expect(try second.probe("find", "a", both) == "\(errSecNotAvailable)")
        }

        /// The copy of synchronizable items has no less protection than the place that it is a copy of.
        @Test func copyOfSynchronizableItems_isProtectedByTheChip() throws {
            let setting = ["CHIP_PROBE_STORE": "synchronizable"]
            #expect(try first.probe("add", "a", setting) == "0")
            #expect(try first.probe("find", "a", setting) == "secret of a")
            #expect(try first.file.isSealed)
            let copies = first.machine.folder.path + "/k/copies"
            var methods: [String] = []
            for name in try FileManager.default.subpathsOfDirectory(atPath: copies)
            where (name as NSString).lastPathComponent.hasPrefix("items.db") {
                let bytes = FileManager.default.contents(atPath: copies + "/" + name) ?? Data()
                for method in ["chip+device", "key-file"] where bytes.range(of: Data(method.utf8)) != nil {
                    methods.append(method)
                }
            }
            #expect(Set(methods) == ["chip+device"])
        }

        // MARK: Interruptions and damage

        /// At each moment there is no key file, or one that opens the keychain. The step can be done again, and the file is
        /// sealed then.
        @Test(arguments: ["add", "seal", "invite", "join"])
        func killedProcess_leavesNoKeyFileThatOpensNothing(_ step: String) throws {
            #expect(try first.probe("add", "a", step == "seal" ? [:] : chip) == "0")
            let before = try first.file
            if step == "join" { #expect(try first.security(["fleet", "invite"], chip).status == 0) }
            for round in 0..<12 {
                let member = step == "join" ? second : first
                var token = ""
                member.clear()
                switch step {
                case "add": _ = try database.ask("DROP SCHEMA secitem CASCADE")
                case "join":
                    token = try first.security(["fleet", "invite"], chip).output.trimmingCharacters(in: .newlines)
                default: try first.put(before)
                }
                let program =
                    step == "invite"
                    ? try member.begin("security", ["fleet", "invite"], chip)
                    : try member.begin("ChipProbe", [step, step == "join" ? token : "a"], chip)
                usleep(UInt32(round) * 20_000)
                kill(program.process.processIdentifier, SIGKILL)
                program.process.waitUntilExit()
                // The kernel removes what a dead process has loaded into a chip. The simulator does not.
                member.machine.stopChip()
                try member.machine.startChip()
                if member.hasFile {
                    if step != "seal" { #expect(try member.file.isSealed) }
                    if step != "add" { #expect(try member.probe("find", "a") == "secret of a") }
                } else {
                    #expect(step == "add" || step == "join")
                }
                switch step {
                case "invite": #expect(try member.security(["fleet", "invite"], chip).status == 0)
                case "add":
                    let status = try member.probe("add", "a", chip)
                    #expect(status == "0" || status == "\(errSecDuplicateItem)")
                default: #expect(try member.probe(step, token, chip) == "ok")
                }
                #expect(try member.file.isSealed)
                #expect(try member.probe("find", "a", chip) == "secret of a")
                // Whatever is left beside it has the seal, too.
                for name in member.others { #expect(try member.read(name).isSealed, "\(name)") }
            }
        }

        /// A damaged file is a status, also where its checksum is right, and is left as it is.
        @Test func damagedKeyFile_isAStatus() throws {
            #expect(try first.probe("add", "a", chip) == "0")
            let file = try first.file
            let statuses = [errSecDecode, errSecNotAvailable].map { "\($0)" }
            func check(_ damaged: Data, _ what: String) throws {
                try first.put(damaged)
                for command in ["find", "add"] {
                    let status = try first.probe(command, "a", chip)
                    #expect(statuses.contains(status), "\(command), \(what)")
                }
                #expect(try first.file == damaged)
            }
            for count in [0, 1, 7, 8, 9, 10, 11, file.count / 2, file.count - 1] {
                try check(file.prefix(count), "\(count) bytes")
            }
            for index in stride(from: 0, to: file.count, by: 23) {
                var damaged = file
                damaged[index] ^= 1
                try check(damaged, "byte \(index)")
                // By somebody who knows the format.
                let end = damaged.count - 8
                damaged.replaceSubrange(end..., with: Data(SHA256.hash(data: damaged[..<end])).prefix(8))
                if index > 6 && index < end { try check(damaged, "byte \(index), with its checksum") }
            }
            try first.put(file)
            #expect(try first.probe("find", "a", chip) == "secret of a")
        }
    }
}

extension Data {
    /// Whether it is a key file that a chip has sealed.
    fileprivate var isSealed: Bool { starts(with: "SICHP".utf8) }
}

/// A machine that uses the keychain of a database.
private struct Member {
    let machine: Machine
    let database: Database

    // MARK: Files

    var keyFile: String { machine.folder.path + "/files/key" }
    private var folder: String { machine.folder.path + "/files" }

    /// The key file as it is.
    var file: Data { get throws { try read("key") } }
    var hasFile: Bool { FileManager.default.fileExists(atPath: keyFile) }
    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) }

    /// The names of what is beside the key file.
    var others: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0 != "key" }
    }

    /// Puts a file in the place of the key file; nil removes it.
    func put(_ file: Data?) throws {
        unlink(keyFile)
        guard let file else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try file.write(to: URL(fileURLWithPath: keyFile))
        chmod(keyFile, 0o600)
    }

    /// Removes the key file and all beside it.
    func clear() { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: Programs

    private func variables(_ other: [String: String]) -> [String: String] {
        let own = [
            "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": database.connectionString,
            "SECITEM_POSTGRESQL_KEY_FILE": keyFile, "HOME": machine.folder.path,
        ]
        return machine.environment.merging(own) { $1 }.merging(other) { $1 }
    }

    func probe(_ command: String, _ argument: String, _ other: [String: String] = [:]) throws -> String {
        try run("ChipProbe", [command, argument], other).output
    }

    func security(
        _ arguments: [String], _ other: [String: String] = [:], input: String = ""
    ) throws -> (status: Int32, output: String, errors: String) {
        try run("security", arguments, other, input: input)
    }

    func run(
        _ name: String, _ arguments: [String], _ other: [String: String], input: String = ""
    ) throws -> (status: Int32, output: String, errors: String) {
        let running = try begin(name, arguments, other)
        running.write(input)
        running.close()
        // What is written to standard error fits into a pipe.
        let output = running.rest()
        let errors = String(decoding: running.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        running.process.waitUntilExit()
        return (running.process.terminationStatus, output, errors)
    }

    func begin(_ name: String, _ arguments: [String], _ other: [String: String]) throws -> Running {
        let running = Running(process: machine.program(name, arguments, variables(other)))
        running.process.standardInput = running.input
        running.process.standardOutput = running.output
        running.process.standardError = running.errors
        try running.process.run()
        return running
    }
}

/// A program that runs.
private struct Running {
    let process: Process
    let input = Pipe(), output = Pipe(), errors = Pipe()

    func write(_ text: String) {
        if !text.isEmpty { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    }

    func close() { try? input.fileHandleForWriting.close() }

    /// The next line of its output.
    func line() -> String {
        var bytes = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 10 {
            bytes.append(first)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All of its output, without line breaks at the end.
    func rest() -> String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }
}
