// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

struct FindIdentity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-identity", abstract: "Find an identity (certificate + private key).",
        discussion: "Without keychains, searches those of the search list.")

    @Option(
        name: .shortJoined("p"), parsing: .unconditionalSingleValue,
        help: "The policy to evaluate: basic, ssl-client, ssl-server, smime, eap, ipsec, codesigning, timestamping.",
        completion: .list(TrustPolicy.all.map { $0.names[0] }))
    var policies: [String] = []

    @Option(name: .shortJoined("s"), parsing: .unconditional, help: "The host or email address of the policy.")
    var name: String?

    @Flag(name: .customShort("v"), help: "Show valid identities only.")
    var validOnly = false

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        let policies = try (self.policies.isEmpty ? ["basic"] : self.policies).map(TrustPolicy.named)
        let required = try policies.map { ($0, try $0.policy(for: name, option: "-s")) }
        // The others of the keychains help to build chains, but are trusted no more for being there.
        var others: [SecCertificate] = []
        let certificates = try KeychainSearch.found(in: keychains) { keychain in
            let found = try StoredObjects.identityCertificates(in: keychain).compactMap {
                $0.object as? SecCertificate
            }
            others += try StoredObjects(itemClass: kSecClassCertificate).all(in: keychain, tellsOfGuarded: false)
                .compactMap { $0.object as? SecCertificate }
            return found
        }
        let known = Authorities(others)
        for (policy, rules) in required { try show(certificates, known, policy, rules) }
    }

    private func show(
        _ certificates: [SecCertificate], _ known: Authorities, _ policy: TrustPolicy, _ rules: SecPolicy
    ) throws {
        let verdicts = try certificates.map { ($0, try TrustVerdict.of($0, among: known, rules)) }
        if !validOnly {
            Console.write("\nPolicy: \(policy.title)\n  Matching identities\n")
            list(verdicts)
            Console.write("     \(verdicts.count) identities found\n\n  Valid identities only\n")
        }
        let valid = verdicts.filter { $0.1 == nil }
        list(valid)
        Console.write("     \(valid.count) valid identities found\n")
    }

    private func list(_ verdicts: [(SecCertificate, OSStatus?)]) {
        for (index, (certificate, status)) in verdicts.enumerated() {
            let number = "\(index + 1)"
            let hash = CertificateDigest(certificate).sha1
            let reason = status.map { " (\(TrustVerdict.name($0)))" } ?? ""
            let padding = String(repeating: " ", count: max(3 - number.count, 0))
            Console.write("\(padding)\(number)) \(hash) \"\(PrintedBytes.line(certificate.summary))\"\(reason)\n")
        }
    }
}
