// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemMaintenance
import SecItemShim
import SecItemStore

/// `import-passwords`: what another program keeps, as items of this keychain.
struct ImportPasswordsCommand: ParsableCommand {
    /// The programs whose passwords can be read.
    enum Source: String, ExpressibleByArgument, CaseIterable {
        case pass
        case pythonKeyring = "python-keyring"
        case secretService = "secret-service"
        case dump
    }

    static let configuration = CommandConfiguration(
        commandName: "import-passwords", abstract: "Import the passwords of another program into a keychain.",
        discussion: """
            The sources are pass (a folder of the password manager of that name, decrypted by gpg), python-keyring (the plain \
            file of keyrings.alt), secret-service (the items that secret-tool finds) and dump (the output of a Mac's security \
            dump-keychain -d). The command only reads them. It changes existing items only with --replace.
            """)

    @Option(help: "The program or format to import from: \(Source.allCases.map(\.rawValue).joined(separator: ", ")).")
    var from: Source

    @Argument(
        help: "The file or folder (pass and python-keyring: default is the usual one; secret-service has none).",
        completion: .file())
    var path: String?

    @OptionGroup var keychain: KeychainOption

    @Option(
        name: .long, help: "The access group of the items (default: that of this command).",
        transform: AccessGroupName.init(argument:))
    var accessGroup: AccessGroupName?

    @Flag(name: .long, help: "Replace existing items that have other contents.")
    var replace = false

    @Flag(name: .long, help: "Import the first line of pass's files that have several, and ignore the others.")
    var firstLine = false

    func run() throws {
        let source = try source()
        let store = try keychain.open("import-passwords", recordsFolder: false).store
        let group = accessGroup?.text ?? LinuxKeychain.applicationIdentifier
        let (tally, refusals) = try reporting("import-passwords") {
            try ProgressBar.during("importing") { progress in
                try ForeignImport.run(source, into: store, group: group, replacing: replace, progress: progress)
            }
        }
        for refusal in refusals {
            Console.error("security: not imported: \(PrintedBytes.line("\(refusal.name): \(refusal.reason)"))")
        }
        try TallyReport(tally, replacing: replace).tell()
        if !refusals.isEmpty { throw CommandFailure(nil) }
    }

    private func source() throws -> any ForeignSource {
        return try reporting("import-passwords") {
            switch from {
            case .pass:
                PasswordStoreFolder(folder: try path ?? Self.passwordStore(), keepsFirstLine: firstLine)
            case .pythonKeyring:
                try PythonKeyringFile(
                    path: path ?? UserFolder.data.path(environment: SecureExecution.environment)
                        + "/python_keyring/keyring_pass.cfg")
            case .dump:
                try KeychainDump(path: try path.required("the dump"))
            case .secretService:
                try secretService()
            }
        }
    }

    /// Where `pass` has its files.
    private static func passwordStore() throws -> String {
        let environment = SecureExecution.environment
        // As pass has it: an empty value is none.
        if let folder = environment["PASSWORD_STORE_DIR"], !folder.isEmpty { return folder }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure.usage("HOME names no folder: name the folder of pass")
        }
        return home + "/.password-store"
    }

    private func secretService() throws -> any ForeignSource {
        #if Gnome || Desktop
            return SecretServiceItems()
        #else
            throw CommandFailure("this program was built without the trait Gnome")
        #endif
    }
}

extension String? {
    fileprivate func required(_ what: String) throws -> String {
        guard let self else { throw CommandFailure.usage("the path of \(what) is missing") }
        return self
    }
}
