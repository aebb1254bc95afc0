// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

/// The command with a separate keychain.
struct CommandFixture: Sendable {
    /// The place of the items.
    enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case embedded, secretService = "Secret Service"

        /// The places that are available in this run.
        static var all: [Place] { PrivateBus.shared == nil ? [.embedded] : allCases }

        var testDescription: String { rawValue }
    }

    let folder: TemporaryFolder
    /// The folder for cached keys, which must be in memory.
    private let runtimeFolder: TemporaryFolder
    var environment: [String: String]
    /// The prefix of this test's items, because a Secret Service may have items of other tests.
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

    /// The folder of a keychain with a name without a slash.
    func path(of keychain: String) -> String { "\(folder.path)/data/secitem/keychains/\(keychain)-db" }

    /// Makes a keychain that can be unlocked at a low cost, adds it to the search list, and unlocks it.
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

    /// Runs the command on a separate terminal.
    func onTerminal(_ arguments: String...) throws -> TerminalSession {
        try TerminalSession(program(arguments))
    }

    /// The standard output, without the parts that differ from run to run.
    func golden(_ arguments: String...) throws -> String {
        var text = try program(arguments).run().output
        text = text.replacingOccurrences(of: prefix, with: "test")
        text = text.replacingOccurrences(of: folder.path, with: "HOME")
        let date = try NSRegularExpression(pattern: "0x[0-9A-F]{32}  \"[0-9]{14}Z\\\\000\"")
        let range = NSRange(text.startIndex..., in: text)
        return date.stringByReplacingMatches(in: text, range: range, withTemplate: "DATE")
    }
}
