// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemMaintenance
import SecItemShim
import SecItemStore

struct ExportItems: PlainlyFailingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export items from a keychain.",
        discussion: """
            Without a keychain, exports the items of the default keychain. If the format encrypts, it needs a passphrase: give \
            -P, or the command asks for it.
            """)

    @Option(
        name: .shortJoined("k"), parsing: .unconditional, help: "The keychain to export items from.",
        completion: .keychain)
    var keychain: String?

    @Option(
        name: .shortJoined("t"), help: "certs, allKeys, pubKeys, privKeys, identities or all.",
        completion: .list(["certs", "allKeys", "pubKeys", "privKeys", "identities", "all"]))
    var type = "all"

    @Option(
        name: .shortJoined("f"), help: "openssl, bsafe, pkcs7, pkcs8, pkcs12, pemseq or x509.",
        completion: .list(["openssl", "bsafe", "pkcs7", "pkcs8", "pkcs12", "pemseq", "x509"]))
    var format: String?

    @Flag(name: .customShort("w"), help: "Private keys are wrapped.")
    var wraps = false

    @Flag(name: .customShort("p"), help: "PEM encode the output.")
    var isPEM = false

    @Option(name: .shortJoined("P"), parsing: .unconditional, help: "The wrapping passphrase.")
    var passphrase: String?

    @Option(
        name: .shortJoined("o"), parsing: .unconditional,
        help: "The output file; without it, or with -, standard output.", completion: .file())
    var output: String?

    func run() throws {
        let objects = try exported()
        guard !objects.isEmpty else { throw CommandFailure("SecItemExport", errSecItemNotFound) }
        let format = try ExternalNames.value(
            of: "f", format, in: ExternalNames.formats,
            otherwise: wraps && objects.count == 1
                ? .formatWrappedPKCS8 : objects.count == 1 ? .formatUnknown : .formatPEMSequence)
        let isWrapping = wraps || format == .formatPKCS12 || format == .formatWrappedPKCS8
        // Nobody is to believe that a passphrase protects what is written in clear.
        if passphrase != nil && !isWrapping {
            throw CommandFailure.usage("-P protects only files of the format pkcs12 and, with -w, pkcs8")
        }
        var parameters = SecItemImportExportKeyParameters()
        let phrase = isWrapping ? try givenPassphrase() : nil
        if let phrase { parameters.passphrase = .passUnretained(phrase) }
        var data: CFData?
        let status = withExtendedLifetime(phrase) {
            SecItemExport(
                objects.count == 1 ? objects[0] : objects as NSArray, format, isPEM ? .pemArmour : [], &parameters,
                &data)
        }
        guard status == errSecSuccess, let data else {
            throw CommandFailure("SecItemExport: \(StatusMessage.text(status))")
        }
        try write(Array(data as Data))
    }

    private func givenPassphrase() throws -> CFTypeRef {
        if let passphrase {
            PasswordOnCommandLine.warn("-P")
            return NSString(string: passphrase)
        }
        let answer = try PasswordPrompt.askForNew("passphrase for the file: ", again: "retype passphrase: ")
        return try IdentityFile.passphrase(answer)
    }

    /// The objects that are meant. An identity stands for its certificate and key where both kinds are wanted.
    private func exported() throws -> [AnyObject] {
        let keychain = try KeychainList.target(keychain)
        func all(_ itemClass: CFString) throws -> [StoredObjects.Found] {
            try StoredObjects(itemClass: itemClass).all(in: keychain)
        }
        func keys(_ keyClasses: [Int]) throws -> [AnyObject] {
            try all(kSecClassKey).filter { found in
                keyClasses.contains(Int("\(found.entry[kSecAttrKeyClass] ?? "")") ?? -1)
            }.map(\.object)
        }
        switch type {
        case "certs": return try all(kSecClassCertificate).map(\.object)
        case "allKeys": return try keys([0, 1])
        case "pubKeys": return try keys([0])
        case "privKeys": return try keys([1])
        case "identities": return try all(kSecClassIdentity).map(\.object)
        case "all": return try all(kSecClassCertificate).map(\.object) + keys([0, 1])
        default: throw CommandFailure.usage("-t takes one of certs, allKeys, pubKeys, privKeys, identities, all")
        }
    }

    /// A file with keys is for its owner alone.
    private func write(_ bytes: [UInt8]) throws {
        guard let output, output != "-" else { return Console.write(bytes) }
        try SecretOutput.write(bytes, to: output)
    }
}
