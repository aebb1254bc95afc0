// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Git's credential helper for the keychain: `git config --global credential.helper keychain`.
///
/// Git starts the helper with one word, writes what it knows about a credential to the helper's standard input, and
/// reads the rest from its standard output. The items are the same as git's on a Mac: internet passwords that differ in
/// protocol, server, port, path or account.
package enum GitCredentialKeychain {
    /// The access group of the items, which is also the application's name. It does not depend on the program's path,
    /// so that two installations, or a renamed program, have the same items.
    static let accessGroup = "git-credential-keychain"

    /// The program's name, which git forms from the word `keychain` in its configuration.
    static let programName = "git-credential-keychain"

    /// Whether the program was started under the helper's name, for example through a link to the command `security`.
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
            // Git's documentation asks helpers to ignore unknown operations, which a later git may introduce.
            if !word.hasPrefix("-") { return }
            return try write(Array(try Manual.page(for: Array(arguments)).utf8))
        }
        LinuxKeychain.applicationIdentifier = accessGroup
        LinuxKeychain.accessGroups = [accessGroup]
        try write(try perform(action, StandardInput()))
    }

    /// Performs an operation.
    ///
    /// - Parameter request: Git's input.
    /// - Returns: The bytes for git.
    /// - Throws: `HelperFailure` if the request is invalid or the keychain call fails.
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

    private static func write(_ bytes: [UInt8]) throws(HelperFailure) {
        if bytes.isEmpty { return }
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw HelperFailure("the output cannot be written")
        }
    }
}
