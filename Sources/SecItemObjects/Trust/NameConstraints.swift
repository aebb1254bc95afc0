// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The host, address or e-mail address that a caller asks for.
enum SoughtName: Equatable, Sendable {
    case host(String)
    /// Four or sixteen bytes.
    case address([UInt8])
    case email(String)

    /// - Returns: Nil if no certificate can have the name. An address counts only in the form that `inet_pton` reads,
    ///   because the resolver reads others differently: `010.2.3.4` is 8.2.3.4 there.
    init?(host: String) {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
        if let address = Self.address(name) {
            self = .address(address)
            return
        }
        // OpenSSL matches a name that begins with a dot too broadly. The resolver may take a name that ends with a
        // number for an address.
        guard name.utf8.first != UInt8(ascii: "."), let last = name.split(separator: ".").last, !Self.isNumber(last)
        else { return nil }
        self = .host(name)
    }

    /// - Returns: Nil if no certificate can have the name.
    init?(email: String) {
        guard !email.isEmpty, !email.utf8.contains(0) else { return nil }
        self = .email(email)
    }

    private static func isNumber(_ label: Substring) -> Bool {
        let isHexadecimal = label.lowercased().hasPrefix("0x")
        return label.utf8.dropFirst(isHexadecimal ? 2 : 0).allSatisfy { byte in
            (0x30...0x39).contains(byte) || (isHexadecimal && (0x61...0x66).contains(byte | 0x20))
        }
    }

    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

/// The names that an authority permits and excludes below it: RFC 5280, section 4.2.1.10.
///
/// OpenSSL compares the names of certificates with them. It takes `*.example.com` for a name outside of
/// `a.example.com`, so the name that the caller asks for is compared as well.
struct NameConstraints: Sendable {
    private var permitted: [Subtree] = []
    private var excluded: [Subtree] = []

    /// - Throws: An error if the bytes are not name constraints.
    init(_ value: [UInt8]) throws {
        for part in try DER.sequence(DER.parse(value), identifier: .sequence, { $0.all() }) {
            guard case .constructed(let nodes) = part.content else { throw CertificateParts.Failure.unexpected }
            let subtrees = try nodes.compactMap { node in
                try DER.sequence(node, identifier: .sequence) { nodes -> Subtree? in
                    let base = try nodes.required()
                    _ = nodes.all()
                    return Subtree(base)
                }
            }
            if part.identifier.tagNumber == 0 { permitted += subtrees } else { excluded += subtrees }
        }
    }

    func permits(_ name: SoughtName) -> Bool {
        let own = permitted.filter { $0.isKind(of: name) }
        if excluded.contains(where: { $0.contains(name) }) { return false }
        return own.isEmpty || own.contains { $0.contains(name) }
    }

    private enum Subtree {
        case host([UInt8])
        /// A network's address and mask.
        case network([UInt8])
        case email([UInt8])

        /// Nil for names that no caller asks for.
        init?(_ base: ASN1Node) {
            guard base.identifier.tagClass == .contextSpecific, case .primitive(let bytes) = base.content else {
                return nil
            }
            switch base.identifier.tagNumber {
            case 1: self = .email(Self.lowercase(bytes))
            case 2: self = .host(Self.lowercase(bytes.last == Self.dot ? bytes.dropLast() : bytes))
            case 7: self = .network(Array(bytes))
            default: return nil
            }
        }

        func isKind(of name: SoughtName) -> Bool {
            switch (self, name) {
            case (.host, .host), (.network, .address), (.email, .email): true
            default: false
            }
        }

        func contains(_ name: SoughtName) -> Bool {
            switch (self, name) {
            case (.host(let base), .host(let host)): return Self.isHost(Self.lowercase(host.utf8), within: base)
            case (.network(let network), .address(let address)):
                guard network.count == 2 * address.count else { return false }
                return address.indices.allSatisfy {
                    (address[$0] ^ network[$0]) & network[address.count + $0] == 0
                }
            case (.email(let base), .email(let email)):
                let address = Self.lowercase(email.utf8)
                if base.contains(Self.at) { return address == base }
                let host = Array(address.split(separator: Self.at, omittingEmptySubsequences: false).last ?? [])
                return base.first == Self.dot ? Self.isHost(host, within: base) : host == base
            default: return false
            }
        }

        /// Whether a host is the base or below it. A base that begins with a dot has only hosts below it.
        private static func isHost(_ host: [UInt8], within base: [UInt8]) -> Bool {
            guard !base.isEmpty, host != base else { return true }
            return host.count > base.count && host.suffix(base.count).elementsEqual(base)
                && (base.first == dot || host[host.count - base.count - 1] == dot)
        }

        private static func lowercase(_ bytes: some Sequence<UInt8>) -> [UInt8] {
            bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        }

        private static let dot = UInt8(ascii: ".")
        private static let at = UInt8(ascii: "@")
    }
}
