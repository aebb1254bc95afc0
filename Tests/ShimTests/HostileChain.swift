// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemConformance
import Security

/// Certificates that cost a verifier as much as possible for their size. The same seed makes the same ones, except for
/// keys and signatures.
struct HostileChain {
    /// The kinds of names that constraints can restrict.
    enum Kind: CaseIterable {
        case host, email, internationalEmail, url, directory, address
    }

    enum Shape: CaseIterable {
        /// Many names and constraints at every level.
        case constraints
        /// Several certificates for every authority.
        case variants
        /// Authorities that issue each other, with key identifiers.
        case circle
        /// Policies, each of which is mapped to many.
        case policies
        /// Places of revocation lists relative to a long name.
        case points
    }

    private static let key = P256.Signing.PrivateKey()
    private var random: SeededGenerator

    let shape: Shape
    let kind: Kind
    let isSigned: Bool
    /// Whether the names are compared with excluded subtrees, or else with permitted ones.
    let excludes: Bool
    /// The number of authorities between leaf and root.
    let depth: Int
    let variants: Int
    /// The numbers of names and subtrees of each certificate, or of policies and mappings.
    let names: Int
    let subtrees: Int

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        shape = Shape.allCases.randomElement(using: &random) ?? .constraints
        kind = Kind.allCases.randomElement(using: &random) ?? .host
        isSigned = Bool.random(using: &random)
        excludes = Bool.random(using: &random)
        depth = [1, 2, 4, 16, 30].randomElement(using: &random) ?? 1
        variants = shape == .variants ? [2, 3, 8, 30].randomElement(using: &random) ?? 2 : 1
        names = [0, 1, 10, 100, 1000].randomElement(using: &random) ?? 1
        subtrees = [0, 1, 10, 100, 1000].randomElement(using: &random) ?? 1
    }

    init(
        _ shape: Shape, _ kind: Kind = .host, isSigned: Bool, excludes: Bool = true, depth: Int, variants: Int = 1,
        names: Int = 0, subtrees: Int = 0
    ) {
        random = SeededGenerator(seed: 1)
        (self.shape, self.kind, self.isSigned, self.excludes) = (shape, kind, isSigned, excludes)
        (self.depth, self.variants, self.names, self.subtrees) = (depth, variants, names, subtrees)
    }

    var description: String {
        "\(shape) \(kind) signed \(isSigned) excludes \(excludes) \(depth) deep, \(variants) variants, \(names) names, "
            + "\(subtrees) subtrees"
    }

    /// The leaf, the certificates above it, and the anchor.
    var certificates: (leaf: SecCertificate, others: [SecCertificate], root: SecCertificate) {
        get throws {
            let root = try certificate(number: 0, subject: "level \(depth + 1)", issuer: "level \(depth + 1)")
            let leaf = try certificate(number: 0, subject: "leaf", issuer: "level 1", isAuthority: false)
            var others = [SecCertificate]()
            for level in (0..<depth).map({ $0 + 1 }) {
                for variant in 0..<variants {
                    let issuer = shape == .circle ? level % depth + 1 : level + 1
                    others.append(
                        try certificate(number: variant, subject: "level \(level)", issuer: "level \(issuer)"))
                    // Every authority of a circle is also below the root.
                    if shape == .circle, level == 1 {
                        others.append(
                            try certificate(number: 99, subject: "level 1", issuer: "level \(depth + 1)"))
                    }
                }
            }
            return (leaf, others, root)
        }
    }

    /// How often OpenSSL compares a name with a subtree on a path through all levels.
    var comparisons: Int {
        guard shape == .constraints else { return 0 }
        return (1...depth).reduce(0) { $0 + $1 * names * subtrees }
    }

    private func certificate(
        number: Int, subject: String, issuer: String, isAuthority: Bool = true
    ) throws -> SecCertificate {
        var made = MadeCertificate()
        made.serialNumber = MadeCertificate.der(0x02, [UInt8(number + 1)])
        made.subject = [.commonName(subject)]
        made.issuer = [.commonName(issuer)]
        if shape == .points {
            made.issuer = (0...names).map { .commonName($0 == 0 ? issuer : "name \($0)") }
            if isAuthority { made.subject = (0...names).map { .commonName($0 == 0 ? subject : "name \($0)") } }
        }
        made.publicKey = Self.key.publicKey.x963Representation
        made.issuerKey = isSigned ? Self.key : nil
        made.rawExtensions = extensions(isAuthority: isAuthority, isRoot: subject == issuer)
        return try SecCertificate(made.data)
    }

    private func extensions(isAuthority: Bool, isRoot: Bool) -> [[UInt8]] {
        func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { MadeCertificate.der(tag, content) }
        var all = [
            MadeCertificate.extension(
                [0x55, 0x1d, 19], der(0x30, isAuthority ? [0x01, 0x01, 0xff] : []), isCritical: true)
        ]
        switch shape {
        case .constraints, .variants:
            if names > 0 {
                let list = (0..<names).flatMap { name($0) }
                all.append(MadeCertificate.extension([0x55, 0x1d, 17], der(0x30, list)))
            }
            if subtrees > 0, isAuthority, !isRoot {
                let list = (0..<subtrees).flatMap { der(0x30, subtree($0)) }
                let value = der(0x30, der(excludes ? 0xa1 : 0xa0, list))
                all.append(MadeCertificate.extension([0x55, 0x1d, 30], value, isCritical: true))
            }
        case .circle:
            let identifier: [UInt8] = Array("the same key".utf8)
            all.append(MadeCertificate.extension([0x55, 0x1d, 14], der(0x04, identifier)))
            all.append(MadeCertificate.extension([0x55, 0x1d, 35], der(0x30, der(0x80, identifier))))
        case .policies:
            let policies = (0...names).flatMap { der(0x30, policy($0)) }
            all.append(MadeCertificate.extension([0x55, 0x1d, 32], der(0x30, policies)))
            if subtrees > 0, isAuthority {
                let mappings = (0..<subtrees).flatMap { number in
                    der(0x30, policy(number % (names + 1)) + policy(number / 2))
                }
                all.append(MadeCertificate.extension([0x55, 0x1d, 33], der(0x30, mappings)))
            }
        case .points:
            let part = der(0x30, der(0x06, [0x55, 4, 3]) + der(0x0c, [0x61]))
            let point = der(0x30, der(0xa0, der(0xa1, part)))
            all.append(
                MadeCertificate.extension([0x55, 0x1d, 31], der(0x30, (0...subtrees).flatMap { _ in point })))
        }
        return all
    }

    private func policy(_ number: Int) -> [UInt8] {
        MadeCertificate.der(
            0x06, [0x2a, 0x03] + [0x80 | UInt8(number >> 7 & 0x7f), UInt8(number & 0x7f)].drop { $0 == 0x80 })
    }

    private func name(_ number: Int) -> [UInt8] {
        let text = Array("a\(number)@h\(number).b".utf8)
        switch kind {
        case .host: return MadeCertificate.der(0x82, Array("h\(number).b".utf8))
        case .email: return MadeCertificate.der(0x81, text)
        case .internationalEmail:
            let kind: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x08, 0x09]
            let value = MadeCertificate.der(0xa0, MadeCertificate.der(0x0c, Array("ä\(number)@b".utf8)))
            return MadeCertificate.der(0xa0, MadeCertificate.der(0x06, kind) + value)
        case .url: return MadeCertificate.der(0x86, Array("u://h\(number).b".utf8))
        case .directory: return MadeCertificate.der(0xa4, MadeCertificate.name([.commonName("n\(number)")]))
        case .address: return MadeCertificate.der(0x87, [1, 2, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)])
        }
    }

    /// A subtree that no name is in, if it is excluded, or else one that only the last of them is in.
    private func subtree(_ number: Int) -> [UInt8] {
        let isLast = !excludes && number == subtrees - 1
        let host = isLast ? "b" : "c\(number)"
        switch kind {
        case .host: return MadeCertificate.der(0x82, Array(host.utf8))
        case .email: return MadeCertificate.der(0x81, Array((isLast ? ".b" : host).utf8))
        case .internationalEmail:
            return MadeCertificate.der(0x81, Array(isLast ? "b".utf8 : "xn--\(number)-0ra.c".utf8))
        case .url: return MadeCertificate.der(0x86, Array((isLast ? ".b" : host).utf8))
        case .directory: return MadeCertificate.der(0xa4, MadeCertificate.name(isLast ? [] : [.commonName(host)]))
        case .address:
            let network: [UInt8] = isLast ? [1, 2, 0, 0] : [9, 9, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)]
            return MadeCertificate.der(0x87, network + (isLast ? [255, 255, 0, 0] : [255, 255, 255, 255]))
        }
    }
}
