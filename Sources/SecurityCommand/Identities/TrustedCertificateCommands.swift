// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// `add-trusted-cert`.
struct AddTrustedCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-trusted-cert", abstract: "Add trusted certificate(s).",
        discussion: """
            Makes the certificates authorities of the machine, for all users and purposes (Debian's ca-certificates). Only root can do \
            that.
            """)

    @Flag(name: .customShort("d"), help: "Add to admin cert store (required here).")
    var isForMachine = false

    @Option(name: .shortJoined("r"), help: "The result type (only trustRoot here).")
    var resultType = "trustRoot"

    @Option(
        name: [.customShort("p"), .customShort("a"), .customShort("s"), .customShort("e"), .customShort("u")],
        parsing: .unconditionalSingleValue, help: "Constraints (not available: an authority is trusted for everything)."
    )
    var constraints: [String] = []

    @Option(
        name: .shortJoined("k"), parsing: .unconditional, help: "A keychain that also receives the certificate.",
        completion: .keychain)
    var keychain: String?

    @Option(
        name: [.customShort("i"), .customShort("o")], parsing: .unconditionalSingleValue,
        help: "Trust settings files (not available).")
    var settingsFiles: [String] = []

    @Flag(name: .customShort("D"), help: "Add default setting instead of per-cert setting (not available).")
    var isForAll = false

    @Argument(help: "Files with certificates, in DER or PEM.", completion: .file())
    var files: [String] = []

    func run() throws {
        guard settingsFiles.isEmpty else {
            throw CommandFailure.usage("-i and -o are not supported: Linux has no files of trust settings")
        }
        guard !isForAll else {
            throw CommandFailure.usage("-D is not supported: it would trust certificates that are not named")
        }
        guard !files.isEmpty else { throw CommandFailure.usage("a file with a certificate is needed") }
        guard isForMachine else {
            throw CommandFailure.usage(
                "users have no trust settings on Linux: -d makes the certificate an authority of the machine")
        }
        guard resultType == "trustRoot" else {
            throw CommandFailure.usage("-r is only supported with \"trustRoot\"")
        }
        guard constraints.isEmpty else {
            throw CommandFailure.usage(
                "constraints are not supported: an authority of the machine is trusted for everything")
        }
        // Before the machine trusts anything.
        let keychain = try receivingKeychain()
        let certificates = try files.flatMap { try CertificateFile($0).certificates() }
        try MachineAuthorities.change { authorities in try certificates.forEach(authorities.add) }
        if let keychain { _ = try ObjectAddition(keychain).add(certificates) }
    }

    /// The keychain that is named. A Mac's keychain of the system stands for the machine, which gets the certificate anyway.
    private func receivingKeychain() throws -> Keychain? {
        guard let keychain else { return nil }
        let systemKeychain = "/Library/Keychains/System.keychain"
        guard ![systemKeychain, systemKeychain + "-db"].contains(keychain) else {
            CommandContext.current.ignore(
                "-k \(keychain)", because: "the certificate becomes an authority of the machine")
            return nil
        }
        return try Keychain.open(KeychainName(keychain))
    }
}

/// `remove-trusted-cert`.
struct RemoveTrustedCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-trusted-cert", abstract: "Remove trusted certificate(s).",
        discussion: "Removes certificates that were added to the machine's authorities. Only root can do that.")

    @Flag(name: .customShort("d"), help: "Remove from admin cert store (required here).")
    var isForMachine = false

    @Argument(help: "Files with certificates, in DER or PEM.", completion: .file())
    var files: [String]

    func run() throws {
        guard isForMachine else {
            throw CommandFailure.usage("users have no trust settings on Linux: -d means the authorities of the machine")
        }
        let certificates = try files.flatMap { try CertificateFile($0).certificates() }
        try MachineAuthorities.change { authorities in try certificates.forEach(authorities.remove) }
    }
}

/// A file with nothing but certificates.
struct CertificateFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// - Throws: ``CommandFailure`` when there are none in it.
    func certificates() throws -> [SecCertificate] {
        let objects = try IdentityFile(path).objects(passphrase: nil, isPrompting: false)
        let certificates = objects.compactMap { $0 as? SecCertificate }
        guard !certificates.isEmpty, certificates.count == objects.count else {
            throw CommandFailure("\(path) contains something other than certificates")
        }
        return certificates
    }
}

/// The authorities that somebody has added to those of Debian's `ca-certificates`.
struct MachineAuthorities {
    private static let folder = "/usr/local/share/ca-certificates"
    private static let program = "/usr/sbin/update-ca-certificates"

    /// Makes changes, and has them take effect.
    ///
    /// - Throws: ``CommandFailure`` when this user may not, or the machine has no such authorities.
    static func change(_ body: (MachineAuthorities) throws -> Void) throws {
        guard access(program, X_OK) == 0 else {
            throw CommandFailure("the machine's authorities cannot be changed: \(program) does not exist")
        }
        guard geteuid() == 0 else {
            throw CommandFailure("SecTrustSettingsSetTrustSettings", errSecWrPerm, reason: "only root can do that")
        }
        let authorities = MachineAuthorities()
        do {
            try body(authorities)
        } catch {
            // What was changed before takes effect.
            try authorities.update()
            throw error
        }
        try authorities.update()
    }

    /// The file of a certificate: named for its digest, so that each is there once.
    private func path(of certificate: SecCertificate) -> String {
        "\(Self.folder)/secitem-\(CertificateDigest(certificate).sha256.lowercased()).crt"
    }

    func add(_ certificate: SecCertificate) throws {
        let path = path(of: certificate)
        do {
            try PEMText.certificate(certificate).write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw CommandFailure("\(path) cannot be written")
        }
        chmod(path, 0o644)
    }

    func remove(_ certificate: SecCertificate) throws {
        guard unlink(path(of: certificate)) == 0 else {
            throw CommandFailure("SecTrustSettingsRemoveTrustSettings", errSecItemNotFound)
        }
    }

    private func update() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch { throw CommandFailure("\(Self.program) cannot be started") }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailure("\(Self.program) failed") }
    }
}
