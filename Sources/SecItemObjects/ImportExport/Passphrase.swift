// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The passphrase of a file.
package struct Passphrase: Sendable {
    /// More than anybody types. Some derivations read all of it in each round.
    private static let greatestSize = 1 << 16

    /// The passphrase as bytes, in each encoding that programs have used. The usual one is first.
    let spellings: [PassphraseBytes]

    /// The passphrase from a caller: a text, or data in UTF-8.
    ///
    /// - Throws: `errSecParam` for anything else, and for more than 64 KiB.
    package init(_ value: CallerValue) throws(KeychainError) {
        var bytes: [UInt8]
        switch value {
        case .string(let text): bytes = Array(text.utf8)
        case .data(let data): bytes = Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))
        default: throw .param("the passphrase is neither a text nor data")
        }
        defer { bytes.wipe() }
        try self.init(utf8: bytes)
    }

    /// No passphrase. Files can distinguish it from an empty one, but people do not, so both are tried.
    package static let empty = Passphrase(spellings: [PassphraseBytes(nil), PassphraseBytes([])])

    private init(spellings: [PassphraseBytes]) {
        self.spellings = spellings
    }

    private init(utf8 bytes: [UInt8]) throws(KeychainError) {
        guard bytes.count <= Self.greatestSize else { throw .param("the passphrase is too long") }
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        var spellings = [PassphraseBytes(bytes)]
        // OpenSSL before version 1.1 treated each byte of UTF-8 as one character.
        if bytes.contains(where: { $0 >= 0x80 }) {
            let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            spellings.append(PassphraseBytes(Array(text.utf8)))
        }
        self.init(spellings: spellings)
    }

    /// The encoding for files that are written.
    var usual: PassphraseBytes { spellings.first { $0.isThere } ?? PassphraseBytes([]) }
}

/// A passphrase as bytes, or no passphrase.
struct PassphraseBytes: Sendable {
    private let secret: Secret?

    fileprivate init(_ bytes: [UInt8]?) {
        secret = bytes.map { Secret($0) }
    }

    var isThere: Bool { secret != nil }

    /// Lends the bytes as OpenSSL takes them. The pointer is null if there is no passphrase.
    func withCharacters<R>(_ body: (UnsafePointer<CChar>?, CInt) -> R) -> R {
        guard let secret else { return body(nil, 0) }
        return secret.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else {
                return withUnsafePointer(to: 0) { body($0, 0) }
            }
            return body(start, CInt(bytes.count))
        }
    }
}
