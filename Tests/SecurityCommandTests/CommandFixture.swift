// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore
import TestSupport
import Testing

/// The command on a keychain that nobody else uses.
struct CommandFixture: Sendable {
    /// Where the items are.
    enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case embedded, secretService = "Secret Service"

        /// Those that there are in this run.
        static var all: [Place] { PrivateBus.shared == nil ? [.embedded] : allCases }

        var testDescription: String { rawValue }
    }

    let folder: TemporaryFolder
    /// Where keys wait from one process to the next: in memory, as it has to be.
    private let runtimeFolder: TemporaryFolder
    var environment: [String: String]
    /// What the names of this test's items begin with: a Secret Service has items of other tests.
    let prefix = "test-" + UUID().uuidString.prefix(8)

    init(_ place: Place = .embedded) throws {
        folder = try TemporaryFolder()
        runtimeFolder = try TemporaryFolder(in: "/dev/shm")
        environment = Program.inheritedEnvironment.filter { !$0.key.hasPrefix("SECITEM_") }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        if place == .secretService, let bus = PrivateBus.shared {
            environment.merge(bus.environment) { $1 }
            environment["SECITEM_STORE"] = "secret-service"
        } else {
            environment["SECITEM_STORE"] = "embedded"
        }
        environment["XDG_DATA_HOME"] = folder.path + "/data"
        environment["XDG_STATE_HOME"] = folder.path + "/state"
        environment["HOME"] = folder.path
        environment["XDG_RUNTIME_DIR"] = runtimeFolder.path
        environment["SECITEM_KEY_CACHE"] = "runtime"
    }

    /// The folder of a keychain with a bare name.
    func path(of keychain: String) -> String { "\(folder.path)/data/secitem/keychains/\(keychain)-db" }

    /// Makes a keychain that costs next to nothing to unlock, puts it into the search list, and unlocks it.
    func makeKeychain(_ name: String, password: String = "pw") throws {
        let secret = Secret(Data(password.utf8))
        _ = try SQLiteStore(
            location: StoreLocation(folder: path(of: name)),
            protector: PassphraseProtector(sources: [.closure { secret }], cost: .lowest), cache: .none)
        let list = try run("list-keychains").output.split(separator: "\"").filter { $0.contains("/") }.map(String.init)
        try program(["list-keychains", "-s"] + list + [name]).output()
        try program(["unlock-keychain", "-p", password, name]).output()
    }

    func program(_ arguments: [String]) throws -> Program {
        var program = try Program.built("security", arguments)
        program.environment = environment
        return program
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") throws -> FinishedProgram {
        try program(arguments).run(input: input)
    }

    /// The command on a terminal of its own.
    func onTerminal(_ arguments: String...) throws -> TerminalSession {
        try TerminalSession(program(arguments))
    }

    /// What it wrote on standard output, with what differs from run to run replaced.
    func golden(_ arguments: String...) throws -> String {
        var text = try program(arguments).run().output
        text = text.replacingOccurrences(of: prefix, with: "test")
        text = text.replacingOccurrences(of: folder.path, with: "HOME")
        let date = try NSRegularExpression(pattern: "0x[0-9A-F]{32}  \"[0-9]{14}Z\\\\000\"")
        let range = NSRange(text.startIndex..., in: text)
        return date.stringByReplacingMatches(in: text, range: range, withTemplate: "DATE")
    }
}
