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
        commandName: "import-passwords", abstract: "Bring the passwords of another program into a keychain.",
        discussion: """
            The sources: pass, a folder of the password manager of that name, read through gpg; python-keyring, the plain file \
            of keyrings.alt; secret-service, what secret-tool finds; dump, the output of a Mac's security dump-keychain -d. \
            They are only read. An item that is there with another content stays as it is, unless --replace says otherwise.
            """)

    @Option(help: "Whose passwords they are: \(Source.allCases.map(\.rawValue).joined(separator: ", ")).")
    var from: Source

    @Argument(help: "The file or folder, where there is no usual one.")
    var path: String?

    @OptionGroup var keychain: KeychainOption

    @Option(
        name: .long, help: "The access group of the items. By default that of this command.",
        transform: AccessGroupName.init(argument:))
    var accessGroup: AccessGroupName?

    @Flag(name: .long, help: "Give items that are there with another content the new one.")
    var replace = false

    @Flag(name: .long, help: "Of pass's files that have more lines than the password, take the first alone.")
    var firstLine = false

    func run() throws {
        let source = try source()
        let store = try keychain.open("import-passwords").store
        let group = accessGroup?.text ?? LinuxKeychain.applicationIdentifier
        let (tally, refusals) = try reporting("import-passwords") {
            try ProgressBar.during("importing") { progress in
                try ForeignImport.run(source, into: store, group: group, replacing: replace, progress: progress)
            }
        }
        for refusal in refusals {
            Console.error("security: not imported: \(PrintedBytes.line("\(refusal.name): \(refusal.reason)"))")
        }
        try TallyReport(tally).tell()
        if !refusals.isEmpty { throw CommandFailure(nil) }
    }

    private func source() throws -> any ForeignSource {
        let home = SecureExecution.environment["HOME"] ?? ""
        return try reporting("import-passwords") {
            switch from {
            case .pass:
                PasswordStoreFolder(folder: path ?? home + "/.password-store", keepsFirstLine: firstLine)
            case .pythonKeyring:
                try PythonKeyringFile(path: path ?? home + "/.local/share/python_keyring/keyring_pass.cfg")
            case .dump:
                try KeychainDump(path: try path.required("the dump"))
            case .secretService:
                try secretService()
            }
        }
    }

    private func secretService() throws -> any ForeignSource {
        #if Gnome
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
