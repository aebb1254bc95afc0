// SPDX-License-Identifier: Apache-2.0

import Security

@testable import SecItemObjects

/// The rows of the table in `docs/key-algorithms.md`. A test compares them with that page.
enum KeyAlgorithmDocumentation {
    static var names: [String] { KeyAlgorithm.table.map { $0.name.rawValue as String } }

    static var rows: [String] {
        KeyAlgorithm.table.map { row in
            let library = row.library == .swiftCrypto ? "swift-crypto" : "OpenSSL"
            return "| `\(row.name.rawValue)` | \(row.what) | \(row.digest?.rawValue ?? "–") | \(library) |"
        }
    }
}

extension KeyAlgorithm {
    fileprivate var what: String {
        switch scheme {
        case .rsaSignature(.raw, _): "RSA signature of a block that the caller padded"
        case .rsaSignature(.pkcs1, let input): "RSA signature, PKCS #1 v1.5, of a \(input)"
        case .rsaSignature(.pss, let input): "RSA signature, PSS, of a \(input)"
        case .rsaEncryption(.raw): "RSA encryption of a block that the caller padded"
        case .rsaEncryption(.pkcs1): "RSA encryption, PKCS #1 v1.5"
        case .rsaEncryption(.oaep): "RSA encryption, OAEP"
        case .rsaSessionKey: "RSA encryption, OAEP, of an AES-GCM key"
        case .ecdsa(.x962, let input): "ECDSA signature in DER, of a \(input)"
        case .ecdsa(.rfc4754, let input): "ECDSA signature, r and s, of a \(input)"
        case .exchange where digest == nil: "ECDH, the coordinate"
        case .exchange: "ECDH, X9.63 key derivation"
        case .ecies(_, .zero): "ECIES, AES-GCM with a zero vector"
        case .ecies(_, .derived): "ECIES, AES-GCM with a derived vector"
        }
    }
}
