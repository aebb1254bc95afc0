// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The program. Each run executes one command, and finds what earlier runs have stored.
@main
enum ObjectKeychainCommand {
    static let usage = """
        Usage: object-keychain add SITE USER PASSWORD    store a login, print its reference
               object-keychain list                      print all logins with their references
               object-keychain show REFERENCE            print one login
               object-keychain change REFERENCE PASSWORD give one login another password
               object-keychain remove REFERENCE          delete one login
               object-keychain remove-all                delete all logins of this application
               object-keychain where                     say where the logins live
        """

    static let logins = ObjectKeychain<Login>(service: "org.example.logins")

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("object-keychain: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        let operands = Array(arguments.dropFirst())
        switch (arguments.first, operands.count) {
        case ("add", 3): try add(Login(site: operands[0], user: operands[1], password: operands[2]))
        case ("list", 0): try list()
        case ("show", 1): print(line(try login(operands[0]), reference: operands[0]))
        case ("change", 2): try change(operands[0], password: operands[1])
        case ("remove", 1): try logins.remove(reference(operands[0]))
        case ("remove-all", 0): try logins.removeAll()
        case ("where", 0): print(try LinuxKeychain.storeSummary)
        default:
            print(usage)
            exit(64)
        }
    }

    private static func add(_ login: Login) throws {
        print(try logins.add(login, label: login.site).base64EncodedString())
    }

    private static func list() throws {
        for (reference, login) in try logins.all() {
            print(line(login, reference: reference.base64EncodedString()))
        }
    }

    private static func change(_ text: String, password: String) throws {
        var login = try login(text)
        login.password = password
        try logins.update(reference(text), to: login, label: login.site)
    }

    private static func login(_ text: String) throws -> Login {
        guard let login = try logins.find(reference(text)) else { throw KeychainError(status: errSecItemNotFound) }
        return login
    }

    private static func reference(_ text: String) throws -> Data {
        guard let data = Data(base64Encoded: text) else { throw KeychainError(status: errSecParam) }
        return data
    }

    private static func line(_ login: Login, reference: String) -> String {
        "\(reference)  \(login.user) at \(login.site), password \(login.password)"
    }
}
