// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// `verify-cert`.
struct VerifyCertificate: PlainlyFailingCommand, SplitCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-cert", abstract: "Verify certificate(s).",
        discussion: """
            Trusts the authorities of the machine, or only those that -r names. Fetches nothing from the network. As on a Mac, \
            -n without a name means -N.
            """)

    @Option(
        name: .shortJoined("c"), parsing: .unconditionalSingleValue,
        help: "Certificate to verify. Can be specified multiple times, leaf first.", completion: .file())
    var certificates: [String] = []

    @Option(
        name: .shortJoined("r"), parsing: .unconditionalSingleValue,
        help: "Root certificate. Can be specified multiple times; then no others are trusted.", completion: .file())
    var roots: [String] = []

    @Option(
        name: .shortJoined("p"), help: "The policy: basic, ssl, smime, codeSign, IPSec, eap, timestamping.",
        completion: .list(["basic", "ssl", "smime", "codeSign", "IPSec", "eap", "timestamping"]))
    var policy = "basic"

    @Flag(name: .customShort("C"), help: "Set client policy to true (ssl, IPSec, eap).")
    var isClient = false

    @Option(
        name: .shortJoined("d"), help: "Date and time of the verification, in GMT: YYYY-MM-DD-hh:mm:ss, time optional.")
    var date: String?

    @Option(
        name: .shortJoined("k"), parsing: .unconditionalSingleValue,
        help: "Keychain with further certificates for the chain. Can be specified multiple times.",
        completion: .keychain)
    var keychains: [String] = []

    @Option(
        name: .customShort("n"), parsing: .unconditionalSingleValue,
        help: "Name to be verified: a host for ssl, eap and IPSec, or an email address for smime.")
    var names: [String] = []

    @Option(
        name: .customShort("s"), parsing: .unconditionalSingleValue, help: "The same as -n, for a host.")
    var hosts: [String] = []

    @Option(
        name: .customShort("e"), parsing: .unconditionalSingleValue, help: "The same as -n, for an email address.")
    var emailAddresses: [String] = []

    @Flag(name: .customShort("N"), help: "Do not search the keychains of the search list.")
    var withoutList = false

    @Flag(name: .customShort("L"), help: "Use local certificates only (always so here).")
    var isLocal = false

    @Flag(name: .customShort("l"), help: "Leaf certificate is a CA (not an error here).")
    var isAuthority = false

    @Option(
        name: .shortJoined("R"), parsing: .unconditionalSingleValue,
        help: "Check revocation (only \"offline\", which has no effect here: nothing is fetched from the network).")
    var revocation: [String] = []

    @Flag(name: .customShort("P"), help: "Output the constructed certificate chain in PEM format.")
    var showsPEM = false

    @Flag(name: .customShort("t"), help: "Output certificate contents as text (not supported).")
    var showsText = false

    @Flag(name: .customShort("v"), help: "Output the certificate chain, and what is wrong with each certificate.")
    var isVerbose = false

    @Flag(name: .customShort("q"), help: "Quiet.")
    var isQuiet = false

    @Argument(help: "A server to verify (not supported: the command does not use the network).")
    var address: String?

    /// On a Mac, `-n` was once what `-N` is now.
    static let rules = SplitArguments.Rules(optional: ("n", "-N"), optionalNeverHasDash: true)

    func run() throws {
        guard address == nil else {
            throw CommandFailure(
                "verify-cert", errSecUnimplemented, reason: "no server is asked: give its certificate with -c")
        }
        guard !showsText else {
            throw CommandFailure.usage(
                "-t is not supported: \"openssl x509 -noout -text\" shows what is in a certificate")
        }
        try checkRevocation()
        // As on a Mac: a root alone is verified itself.
        let leaves = try (certificates.isEmpty ? roots : certificates).flatMap(read)
        guard let leaf = leaves.first else { throw CommandFailure.usage("give a certificate (-c)") }
        let anchors = try roots.flatMap(read)
        let policy = try requestedPolicy()
        let known = Authorities(try leaves + (withoutList ? [] : further()))
        let moment = try date.map { try GivenDate.date($0, orExit: 2) }
        var chain = CertificateChain()
        let status = try TrustVerdict.of(leaf, among: known, policy) { trust in
            SecTrustSetNetworkFetchAllowed(trust, false)
            if !anchors.isEmpty {
                let status = SecTrustSetAnchorCertificates(trust, anchors as NSArray)
                guard status == errSecSuccess else { throw CommandFailure("SecTrustSetAnchorCertificates", status) }
                SecTrustSetAnchorCertificatesOnly(trust, true)
            }
            if let moment { SecTrustSetVerifyDate(trust, moment as CFDate) }
            chain = CertificateChain(trust)
        }
        if !isQuiet {
            if let status {
                Console.error("Cert Verify Result: \(TrustVerdict.name(status))")
            } else {
                Console.write("...certificate verification successful.\n")
            }
        }
        if showsPEM || isVerbose { Console.write(chain.text(withPEM: showsPEM)) }
        if isVerbose { Console.write(chain.errorText) }
        if status != nil { throw CommandFailure(nil, exit: 1) }
    }

    /// The policy, with the name that one of `-n`, `-s` and `-e` gives.
    ///
    /// - Throws: ``CommandFailure`` for a name that the policy does not check, and for several names, of which it would
    ///   check one.
    private func requestedPolicy() throws -> SecPolicy {
        let named = try TrustPolicy.named(policy)
        if isClient, named.ofClients == nil {
            CommandContext.current.ignore("-C", because: "the policy \(named.names[0]) does not distinguish clients")
        }
        let policy = isClient ? named.ofClients ?? named : named
        let given: [(option: String, kind: TrustPolicy.CheckedName?, name: String)] =
            names.map { ("-n", nil, $0) } + hosts.map { ("-s", .host, $0) }
            + emailAddresses.map { ("-e", .emailAddress, $0) }
        guard given.count <= 1 else { throw CommandFailure.usage("give one name: -n, -s or -e, once") }
        guard let one = given.first else { return try policy.policy() }
        return try policy.policy(for: one.name, one.kind, option: one.option)
    }

    /// Nothing is at hand that says that a certificate was revoked, and `offline` asks for no more than what is at hand.
    private func checkRevocation() throws {
        guard revocation.allSatisfy({ $0 == "offline" }) else {
            throw CommandFailure.usage("-R is only supported with \"offline\": nothing is fetched from the network")
        }
        if !revocation.isEmpty {
            CommandContext.current.ignore("-R offline", because: "no answers about revocation are kept")
        }
    }

    private func read(_ file: String) throws -> [SecCertificate] {
        let found = try IdentityFile(file).objects(passphrase: nil, isPrompting: false).compactMap {
            $0 as? SecCertificate
        }
        guard !found.isEmpty else { throw CommandFailure("\(file) contains no certificate") }
        return found
    }

    private func further() throws -> [SecCertificate] {
        var search = try KeychainSearch(keychains)
        let found = try search.all {
            try StoredObjects(itemClass: kSecClassCertificate).all(in: $0, tellsOfGuarded: false)
        }
        // One that was named is needed; those of the list may help.
        if !keychains.isEmpty, let failure = search.failure { throw failure }
        return found.compactMap { $0.object as? SecCertificate }
    }
}
