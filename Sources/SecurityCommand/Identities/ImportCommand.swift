// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// The names of file formats and kinds of items on the command line.
enum ExternalNames {
    static let formats: [String: SecExternalFormat] = [
        "openssl": .formatOpenSSL, "openssh1": .formatSSH, "openssh2": .formatSSHv2, "bsafe": .formatBSAFE,
        "raw": .formatRawKey, "pkcs7": .formatPKCS7, "pkcs8": .formatWrappedPKCS8, "pkcs12": .formatPKCS12,
        "netscape": .formatNetscapeCertSequence, "x509": .formatX509Cert, "pemseq": .formatPEMSequence,
    ]

    static let types: [String: SecExternalItemType] = [
        "pub": .itemTypePublicKey, "priv": .itemTypePrivateKey, "session": .itemTypeSessionKey,
        "cert": .itemTypeCertificate, "agg": .itemTypeAggregate,
    ]

    /// - Throws: ``CommandFailure`` for a name that is not in the table.
    static func value<Value>(
        of option: Character, _ name: String?, in table: [String: Value], otherwise: Value
    ) throws -> Value {
        guard let name else { return otherwise }
        guard let value = table[name] else {
            throw CommandFailure.usage("-\(option) takes one of \(table.keys.sorted().joined(separator: ", "))")
        }
        return value
    }
}

struct ImportItems: PlainlyFailingCommand, SplitCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import items into a keychain.",
        discussion:
            "Without a keychain, adds the items to the default one. Does not change existing items.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(name: .shortJoined("k"), parsing: .unconditional, help: "The keychain.", completion: .keychain)
    var keychain: String?

    @Option(
        name: .shortJoined("t"), help: "The kind of items: pub, priv, session, cert, agg.",
        completion: .list(["pub", "priv", "session", "cert", "agg"]))
    var type: String?

    @Option(
        name: .shortJoined("f"),
        help: "The format: openssl, bsafe, pkcs7, pkcs8, pkcs12, x509, pemseq (default: recognised).",
        completion: .list(["openssl", "bsafe", "pkcs7", "pkcs8", "pkcs12", "x509", "pemseq"]))
    var format: String?

    @Flag(name: .customShort("w"), help: "Private keys are wrapped (always recognised).")
    var isWrapped = false

    @Flag(name: .customShort("x"), help: "Private keys cannot be exported after they are imported.")
    var isNotExtractable = false

    @Option(name: .shortJoined("P"), parsing: .unconditional, help: "The passphrase of the file.")
    var passphrase: String?

    @Option(
        name: .shortJoined("a"), parsing: .unconditionalSingleValue,
        help: "An extended attribute: its name, and then its value (no effect here).")
    var extendedAttributes: [String] = []

    @Option(
        name: .customLong(attributeValue), parsing: .unconditionalSingleValue,
        help: "The value that follows the name of -a.")
    var extendedValues: [String] = []

    @OptionGroup var access: IgnoredAccess

    private static let attributeValue = "attribute-value"

    /// On a Mac, the file comes first, and `-a` has two values.
    static let rules = SplitArguments.Rules(permutes: true, pair: ("a", attributeValue))

    func run() throws {
        try access.check()
        guard extendedAttributes.count == extendedValues.count else {
            throw CommandFailure.usage("-a takes a name and a value")
        }
        if !extendedAttributes.isEmpty {
            CommandContext.current.ignore("-a", because: "items have no extended attributes")
        }
        if passphrase != nil { PasswordOnCommandLine.warn("-P") }
        let format = try ExternalNames.value(of: "f", format, in: ExternalNames.formats, otherwise: .formatUnknown)
        let type = try ExternalNames.value(of: "t", type, in: ExternalNames.types, otherwise: .itemTypeUnknown)
        // Before the file's passphrase is asked for.
        let keychain = try KeychainList.target(keychain)
        let objects = try IdentityFile(file).objects(as: format, type, passphrase: passphrase, isPrompting: true)
        guard !objects.isEmpty else { throw CommandFailure("No keychain items found") }
        var addition = ObjectAddition(keychain)
        if isNotExtractable { addition.ofKeys[kSecAttrIsExtractable] = false }
        guard try addition.add(objects) > 0 else {
            throw CommandFailure("SecKeychainItemImport: \(StatusMessage.text(errSecDuplicateItem))")
        }
        say(objects.count { $0 is SecIdentity }, "identity", "identities")
        say(objects.count { $0 is SecKey }, "key", "keys")
        say(objects.count { $0 is SecCertificate }, "certificate", "certificates")
    }

    private func say(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { Console.write("\(count) \(count == 1 ? one : many) imported.\n") }
    }
}
