// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// git's credential helper over the keychain: `git config --global credential.helper keychain`.
///
/// git starts it with one word, writes what it knows about a credential to its standard input, and reads the rest from its
/// standard output. The items are those that git makes on a Mac: internet passwords, told apart by protocol, server, port,
/// path and account.
package enum GitCredentialKeychain {
    /// The access group of its items, and the name that they are kept under. It does not follow the program's path: two
    /// installations, or a renamed program, have the same items.
    static let accessGroup = "git-credential-keychain"

    /// The program's name, which git puts together from the word `keychain` in its configuration.
    static let programName = "git-credential-keychain"

    /// Whether the running program was called by the helper's name: a link to the command `security` is the helper.
    package static var isCalled: Bool {
        CommandLine.arguments.first?.split(separator: "/").last.map { $0 == programName } ?? false
    }

    /// Runs the helper with the program's arguments, and ends the process.
    package static func main() -> Never {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch let failure as HelperFailure {
            print(error: failure.description)
            exit(failure.exitStatus)
        } catch {
            print(error: "\(error)")
            exit(1)
        }
        exit(0)
    }

    private static func run(_ arguments: ArraySlice<String>) throws {
        guard let word = arguments.first else { throw HelperFailure.usage }
        guard let action = Action(rawValue: word) else {
            // What a later git may want of its helpers is none of an error, as git's documentation has it.
            if !word.hasPrefix("-") { return }
            return try write(Array(try Manual.page(for: Array(arguments)).utf8))
        }
        LinuxKeychain.applicationIdentifier = accessGroup
        LinuxKeychain.accessGroups = [accessGroup]
        try write(try perform(action, StandardInput()))
    }

    /// Does what git asks for.
    ///
    /// - Parameter request: What git wrote.
    /// - Returns: What git gets to read.
    static func perform(_ action: Action, _ request: StandardInput) throws(HelperFailure) -> [UInt8] {
        if action == .capability { return Array("version 0\ncapability authtype\n".utf8) }
        guard let request = try CredentialRequest(reading: request) else { return [] }
        let items = CredentialItems(request)
        switch action {
        case .get: return try items.find()?.answer(to: request) ?? []
        case .store: try items.store()
        case .erase: try items.erase()
        case .capability: break
        }
        return []
    }

    private static func print(error: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(programName): \(error)\n".utf8))
    }

    private static func write(_ bytes: [UInt8]) throws {
        if bytes.isEmpty { return }
        try FileHandle.standardOutput.write(contentsOf: bytes)
    }
}
