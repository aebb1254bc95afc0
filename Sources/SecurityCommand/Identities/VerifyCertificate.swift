// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// `verify-cert`.
struct VerifyCertificate: PlainlyFailingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-cert", abstract: "Verify certificate(s).",
        discussion:
            "Trusts the authorities of the machine, or only those that -r names. Fetches nothing from the network.")

    @Option(
        name: .shortJoined("c"), parsing: .unconditionalSingleValue,
        help: "Certificate to verify. Can be specified multiple times, leaf first.")
    var certificates: [String] = []

    @Option(
        name: .shortJoined("r"), parsing: .unconditionalSingleValue,
        help: "Root certificate. Can be specified multiple times; then no others are trusted.")
    var roots: [String] = []

    @Option(
        name: .shortJoined("p"), help: "The policy: basic, ssl, smime, codeSign, IPSec, eap, timestamping.")
    var policy = "basic"

    @Flag(name: .customShort("C"), help: "Set client policy to true (ssl, IPSec, eap).")
    var isClient = false

    @Option(
        name: .shortJoined("d"), help: "Date and time of the verification, in GMT: YYYY-MM-DD-hh:mm:ss, time optional.")
    var date: String?

    @Option(
        name: .shortJoined("k"), parsing: .unconditionalSingleValue,
        help: "Keychain with further certificates for the chain. Can be specified multiple times.")
    var keychains: [String] = []

    @Option(
        name: [.customShort("n"), .customShort("s"), .customShort("e")], parsing: .unconditional,
        help: "Name to be verified: a host, or an email address for smime.")
    var name: String?

    @Flag(name: .customShort("N"), help: "Do not search the keychains of the search list.")
    var withoutList = false

    @Flag(name: .customShort("L"), help: "Use local certificates only (always so here).")
    var isLocal = false

    @Flag(name: .customShort("l"), help: "Leaf certificate is a CA (not an error here).")
    var isAuthority = false

    @Option(
        name: .shortJoined("R"), parsing: .unconditionalSingleValue,
        help: "Check revocation (not supported: nothing is fetched from the network).")
    var revocation: [String] = []

    @Flag(name: .customShort("P"), help: "Output the constructed certificate chain in PEM format.")
    var showsChain = false

    @Flag(name: .customShort("q"), help: "Quiet.")
    var isQuiet = false

    func run() throws {
        guard revocation.isEmpty else {
            throw CommandFailure.usage("-R is not supported: nothing is fetched from the network")
        }
        // As on a Mac: a root alone is verified itself.
        let leaves = try (certificates.isEmpty ? roots : certificates).flatMap(read)
        guard !leaves.isEmpty else { throw CommandFailure.usage("give a certificate (-c)") }
        let anchors = try roots.flatMap(read)
        let policy = try TrustPolicy.named(policy).policy(for: name, isClient: isClient ? true : nil)
        let others = withoutList ? [] : try further()
        let moment = try date.map(Self.moment)
        var chain: [SecCertificate] = []
        let status = try TrustVerdict.of(leaves + others, policy) { trust in
            SecTrustSetNetworkFetchAllowed(trust, false)
            if !anchors.isEmpty {
                SecTrustSetAnchorCertificates(trust, anchors as NSArray)
                SecTrustSetAnchorCertificatesOnly(trust, true)
            }
            if let moment { SecTrustSetVerifyDate(trust, moment as CFDate) }
            chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        }
        if showsChain { Console.write(chain.map(PEMText.certificate).joined()) }
        if let status {
            if !isQuiet { Console.error("Cert Verify Result: \(TrustVerdict.name(status))") }
            throw CommandFailure(nil, exit: 1)
        }
        if !isQuiet { Console.write("...certificate verification successful.\n") }
    }

    private func read(_ file: String) throws -> [SecCertificate] {
        let found = try KeyFile(file).objects(passphrase: nil, isPrompting: false).compactMap { $0 as? SecCertificate }
        guard !found.isEmpty else { throw CommandFailure("\(file) contains no certificate") }
        return found
    }

    private func further() throws -> [SecCertificate] {
        var search = try KeychainSearch(keychains)
        let found = try search.all { try KeychainObjects(itemClass: kSecClassCertificate).all(in: $0) }
        // One that was named is needed; those of the list may help.
        if !keychains.isEmpty, let failure = search.failure { throw failure }
        return found.compactMap { $0.object as? SecCertificate }
    }

    private static func moment(_ text: String) throws -> Date {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["yyyy-MM-dd-HH:mm:ss", "yyyy-MM-dd-HH:mm", "yyyy-MM-dd"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        throw CommandFailure.usage("\"\(text)\" is not a date such as 2026-04-25-15:59:59")
    }
}
