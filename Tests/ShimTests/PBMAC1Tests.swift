// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Security
import Testing

/// PKCS #12 files with an authentication code whose key PBKDF2 derives: RFC 9579.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct PBMAC1Tests {
    private static func vectors() throws -> [(title: String, file: Data)] {
        let text = String(decoding: try KeyVectorFiles.data("rfc9579.txt"), as: UTF8.self)
        return text.components(separatedBy: "# ").dropFirst().map { part in
            let (title, lines) = part.split(separator: "\n", maxSplits: 1).map(String.init).pair
            return (title, Data(base64Encoded: lines, options: .ignoreUnknownCharacters) ?? Data())
        }
    }

    @Test func publishedFiles_areReadOrRefused() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 6)
        let refused: [String: OSStatus] = [
            "A.4": errSecAuthFailed, "A.5": errSecAuthFailed, "A.6": errSecDecode,
        ]
        for (title, file) in vectors {
            let expected = refused[String(title.prefix(3))]
            #expect(ImportedItem.status(file, "1234") == expected ?? errSecSuccess, "\(title)")
            #expect(title.contains("invalid") == (expected != nil))
            if expected != nil { continue }
            let item = try ImportedItem.one(file, "1234")
            #expect(item.key.flatMap { key in item.certificate.map(key.belongs) } == true, "\(title)")
            for wrong in ["12345", "", "123"] { #expect(ImportedItem.status(file, wrong) == errSecAuthFailed) }
            // Any change of the authenticated content is detected.
            for index in stride(from: 100, to: file.count - 150, by: 97) {
                var changed = file
                changed[index] ^= 1
                #expect(ImportedItem.status(changed, "1234") != errSecSuccess, "\(title), byte \(index)")
            }
        }
    }

    // MARK: - Made files

    private static func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        MadePKCS12.der(tag, parts.flatMap { $0 })
    }

    private static let pkcs5: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5]

    /// HMAC with a digest: numbers 7 to 11 for SHA-1 and SHA-2.
    private static func authentication(_ number: UInt8) -> [UInt8] {
        der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, number]), der(0x05))
    }

    /// The parts of an authentication code. With the defaults, it is right.
    private struct Code {
        var rounds: [UInt8] = [1]
        var keySize: [UInt8]? = [20]
        /// The digest of the derivation. Nil leaves it out, and means SHA-1.
        var derivationDigest: UInt8? = 7
        var digest: UInt8 = 9
        var derivation: UInt8 = 12
        var salt = PBMAC1Tests.der(0x04, [1, 2, 3, 4])
        var extraByte: [UInt8] = []

        func file() -> Data {
            var file = MadePKCS12([])
            file.authentication = { content in
                let key = PBMAC1Tests.derivedKey("secret", [1, 2, 3, 4])
                let code = Array(HMAC<SHA256>.authenticationCode(for: content, using: key)) + extraByte
                let parameters = PBMAC1Tests.der(
                    0x30, salt, PBMAC1Tests.der(0x02, rounds), keySize.map { PBMAC1Tests.der(0x02, $0) } ?? [],
                    derivationDigest.map(PBMAC1Tests.authentication) ?? [])
                let identifier = PBMAC1Tests.der(0x06, PBMAC1Tests.pkcs5 + [derivation])
                let algorithm = PBMAC1Tests.der(
                    0x30, PBMAC1Tests.der(0x06, PBMAC1Tests.pkcs5 + [14]),
                    PBMAC1Tests.der(
                        0x30, PBMAC1Tests.der(0x30, identifier, parameters), PBMAC1Tests.authentication(digest)))
                let info = PBMAC1Tests.der(0x30, algorithm, PBMAC1Tests.der(0x04, code))
                return PBMAC1Tests.der(0x30, info, PBMAC1Tests.der(0x04, Array("NOT USED".utf8)), [2, 1, 1])
            }
            return file.data
        }
    }

    /// PBKDF2 with HMAC and SHA-1, one round and one block.
    private static func derivedKey(_ passphrase: String, _ salt: [UInt8]) -> SymmetricKey {
        let key = SymmetricKey(data: Data(passphrase.utf8))
        return SymmetricKey(data: HMAC<Insecure.SHA1>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
    }

    private func status(_ change: (inout Code) -> Void = { _ in }) -> OSStatus {
        var code = Code()
        change(&code)
        return ImportedItem.status(code.file())
    }

    @Test func madeFile_isReadByItsParts() {
        #expect(status() == errSecSuccess)
        #expect(status { $0.derivationDigest = nil } == errSecSuccess)
        for other: UInt8 in [7, 8, 10, 11] { #expect(status { $0.digest = other } == errSecAuthFailed) }
        for other: UInt8 in [8, 9, 10, 11] { #expect(status { $0.derivationDigest = other } == errSecAuthFailed) }
        #expect(status { $0.rounds = [2] } == errSecAuthFailed)
        #expect(status { $0.keySize = [21] } == errSecAuthFailed)
        #expect(status { $0.salt = Self.der(0x04, [1, 2, 3]) } == errSecAuthFailed)
        // A code with more bytes does not match.
        #expect(status { $0.extraByte = [0] } == errSecAuthFailed)
    }

    @Test func whatIsNotKnown_isRefused() {
        for other: UInt8 in [6, 12, 13, 99] {
            #expect(status { $0.digest = other } == errSecUnsupportedFormat)
            #expect(status { $0.derivationDigest = other } == errSecUnsupportedFormat)
        }
        #expect(status { $0.derivation = 13 } == errSecUnsupportedFormat)
    }

    /// A key that is short enough to guess, and a derivation that takes too long.
    @Test func keySizeAndRounds_haveLimits() {
        for size: [UInt8]? in [nil, [0], [1], [19], [0xff], [4, 1], [0x7f, 0xff, 0xff, 0xff]] {
            #expect(status { $0.keySize = size } == errSecDecode, "\(size ?? [])")
        }
        #expect(status { $0.keySize = [4, 0] } == errSecAuthFailed)
        for rounds: [UInt8] in [
            [0], [0xff], [0x00, 0x98, 0x96, 0x81], [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] {
            #expect(status { $0.rounds = rounds } == errSecDecode, "\(rounds)")
        }
        // 1024 bytes are 52 blocks of SHA-1, and each block takes all rounds.
        #expect(
            status {
                $0.keySize = [4, 0]
                $0.rounds = [3, 0, 0]
            } == errSecDecode)
        #expect(status { $0.salt = Self.der(0x04, Array(repeating: 1, count: 1025)) } == errSecDecode)
        #expect(status { $0.salt = Self.der(0x30) } == errSecDecode)
    }
}

extension [String] {
    fileprivate var pair: (String, String) { (first ?? "", dropFirst().first ?? "") }
}
