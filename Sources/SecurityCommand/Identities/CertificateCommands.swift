// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

struct FindCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-certificate", abstract: "Find a certificate item.",
        discussion: """
            Without keychains, searches those of the search list. Nobody is asked for a guarded certificate: standard error \
            names it.
            """)

    @Flag(name: .customShort("a"), help: "Find all matching certificates, not just the first one.")
    var all = false

    @Option(name: .shortJoined("c"), parsing: .unconditional, help: "Match on a part of the common name.")
    var name: String?

    @Option(name: .shortJoined("e"), parsing: .unconditional, help: "Match on an email address.")
    var email: String?

    @Flag(name: .customShort("m"), help: "Show the email addresses in the certificate.")
    var showsEmail = false

    @Flag(name: .customShort("p"), help: "Output certificate in PEM format.")
    var showsPEM = false

    @Flag(name: .customShort("Z"), help: "Print SHA-256 (and SHA-1) hash of the certificate.")
    var showsHash = false

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        let matching = try KeychainSearch.found(in: keychains, certificates)
        if matching.isEmpty && !all {
            KeychainsElsewhere.hint(besides: try KeychainList.names(keychains)) { try !certificates(in: $0).isEmpty }
            throw CommandFailure("SecKeychainSearchCopyNext", errSecItemNotFound)
        }
        for (entry, certificate) in all ? matching : Array(matching.prefix(1)) { show(entry, certificate) }
    }

    private func certificates(in keychain: Keychain) throws -> [(entry: FoundEntry, certificate: SecCertificate)] {
        try StoredObjects(itemClass: kSecClassCertificate).all(in: keychain).compactMap { found in
            (found.object as? SecCertificate).map { (found.entry, $0) }
        }.filter { matches($0.1) }
    }

    private func matches(_ certificate: SecCertificate) -> Bool {
        if let email { return certificate.emailAddresses.contains { $0.lowercased() == email.lowercased() } }
        return name.map(certificate.isNamed) ?? true
    }

    private func show(_ entry: FoundEntry, _ certificate: SecCertificate) {
        if showsHash {
            let digest = CertificateDigest(certificate)
            Console.write("SHA-256 hash: \(digest.sha256)\nSHA-1 hash: \(digest.sha1)\n")
        }
        if showsEmail {
            let addresses = certificate.emailAddresses.map(PrintedBytes.line).joined(separator: ", ")
            Console.write("email addresses: \(addresses)\n")
        }
        if showsPEM {
            Console.write(PEMText.certificate(certificate))
        } else {
            Console.write(AttributeDump.text(of: entry, itemClass: kSecClassCertificate, certificate))
        }
    }
}

/// Certificates, and what belongs to them, as text.
enum PEMText {
    static func certificate(_ certificate: SecCertificate) -> String { block("CERTIFICATE", certificate.data) }

    static func block(_ title: String, _ bytes: Data) -> String {
        let text = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(title)-----\n\(text)\n-----END \(title)-----\n"
    }
}

struct DeleteCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-certificate", abstract: "Delete a certificate from a keychain.",
        discussion: "Exactly one certificate must match. Its private key stays.")

    @OptionGroup var choice: CertificateChoice

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        let found = try StoredObjects(itemClass: kSecClassCertificate).all(in: KeychainList.searched(keychains))
        let one = try choice.only(of: found) { $0.object as? SecCertificate }
        try one.entry.delete()
    }
}

struct DeleteIdentity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-identity", abstract: "Delete a certificate and its private key from a keychain.",
        discussion: "Exactly one identity must match. The key stays if it belongs to another certificate, too.")

    @OptionGroup var choice: CertificateChoice

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        let found = try KeychainList.searched(keychains).flatMap(StoredObjects.identityCertificates)
        let one = try choice.only(of: found) { $0.object as? SecCertificate }
        try one.entry.delete()
    }
}

extension FoundEntry {
    /// Deletes this item.
    func delete() throws {
        let query = [kSecValuePersistentRef: reference ?? Data()] as [CFString: Any]
        try keychain.perform("SecKeychainItemDelete") { calls throws(KeychainError) in
            try calls.delete(matching: query as CFDictionary)
        }
    }
}

struct AddCertificates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-certificates", abstract: "Add certificates to a keychain.",
        discussion: "Without a keychain, adds them to the default one.")

    @Option(name: .shortJoined("k"), parsing: .unconditional, help: "The keychain.", completion: .keychain)
    var keychain: String?

    @Argument(help: "Files with certificates, in DER or PEM.", completion: .file())
    var files: [String]

    func run() throws {
        let keychain = try KeychainList.target(keychain)
        for file in files {
            let certificates = try CertificateFile(file).certificates()
            guard try ObjectAddition(keychain).add(certificates) > 0 else {
                throw CommandFailure("SecCertificateAddToKeychain", errSecDuplicateItem)
            }
        }
    }
}
