// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore
import Synchronization
import Testing

@testable import SecItemSealing

/// A chip that says what it was asked for, and gives a secret for it.
private final class TellingChip: SecurityChip {
    let asked = Mutex<[[UInt8]]>([])
    private let secret: Secret

    init(_ secret: Secret) {
        self.secret = secret
    }

    func seal(_ secret: Secret) throws(StoreError) -> [UInt8] { Array("sealed by the chip".utf8) }

    func unseal(_ sealed: [UInt8]) throws(StoreError) -> Secret {
        asked.withLock { $0.append(sealed) }
        return secret
    }

    func check() throws(StoreError) {}

    func makeKey() throws(StoreError) -> ChipKey { throw StoreError(.unsupported, "it has no keys") }

    func key(wrapped: [UInt8]) throws(StoreError) -> ChipKey { try makeKey() }

    func signature(of digest: [UInt8], with key: ChipKey) throws(StoreError) -> [UInt8] {
        throw StoreError(.unsupported, "it has no keys")
    }

    func sharedSecret(of key: ChipKey, with publicKey: [UInt8]) throws(StoreError) -> Secret {
        throw StoreError(.unsupported, "it has no keys")
    }
}

/// Key files that a chip has sealed: their bytes. Tests/Packages/Chip opens them with a real one.
@Suite struct ChipSealedFileTests {
    private let chip = TellingChip(Secret(Data(repeating: 7, count: 32)))

    private var seal: ChipSeal { ChipSeal { [chip] () throws(StoreError) in chip } }

    /// A file as it is laid out: the head, what the chip has sealed, nonce and text, and the checksum of all that.
    private func file(version: UInt8 = 1, sealed count: UInt16 = 40, following: Int = 60) -> [UInt8] {
        var bytes: [UInt8] = Array("SICHP".utf8) + [0, 0, version, UInt8(count >> 8), UInt8(count & 255)]
        bytes += (0..<Int(count) + following).map { UInt8(truncatingIfNeeded: $0) }
        return bytes + SHA256.hash(data: Data(bytes)).prefix(8)
    }

    private func code(_ bytes: [UInt8]) -> StoreError.Code? {
        do throws(StoreError) {
            _ = try ChipSealedFile.content(of: Secret(Data(bytes)), path: "device.key", with: seal)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func content_comesBack() throws {
        for count in [0, 1, 40, 3_000] {
            let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            let file = try ChipSealedFile.sealing(Secret(content), with: seal)
            #expect(ChipSealedFile.isSealed(file))
            #expect(try ChipSealedFile.content(of: file, path: "device.key", with: seal).data() == content)
            #expect(file.data().range(of: Data("sealed by the chip".utf8)) == 10..<28)
        }
        #expect(!ChipSealedFile.isSealed(Secret(Data("SICHQ\0\0\u{1}".utf8))))
    }

    /// Each later version reads the file of this one. It was sealed with the secret of this suite's chip.
    @Test func file_ofThisVersion_isReadByEachLaterOne() throws {
        let text =
            "U0lDSFAAAAEAEnNlYWxlZCBieSB0aGUgY2hpcPcP+4G9SB7kejgTd3fpExZOVWmTBaMxWuJ+sHsu"
            + "wxqRvqKBLRUPyGfpwk3eOME="
        let file = try #require(Data(base64Encoded: text))
        let content = try ChipSealedFile.content(of: Secret(file), path: "device.key", with: seal)
        #expect(content.data() == Data("a key file".utf8))
    }

    /// The chip is asked for what it has sealed, whatever its length. What it gives does not open this file.
    @Test(arguments: [0, 1, 40, 255, 256, 3_000] as [UInt16]) func wholeFile_isTheChips(_ count: UInt16) {
        let whole = file(sealed: count)
        #expect(code(whole) == .corrupt)
        #expect(chip.asked.withLock { $0 } == [Array(whole[10..<10 + Int(count)])])
    }

    /// Whoever updates one of two programs is told that the other one is too old, and not that the file is damaged.
    @Test(arguments: [0, 2, 255] as [UInt8]) func fileOfAnotherVersion_isNotSaidToBeDamaged(_ version: UInt8) {
        #expect(code(file(version: version)) == .unavailable)
        #expect(chip.asked.withLock { $0 }.isEmpty)
    }

    /// The chip is not asked about what is damaged.
    @Test func damagedFile_isRefused() {
        let whole = file()
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1 << (index % 8)
            #expect(code(changed) == .corrupt, "\(index)")
            #expect(code(Array(whole[..<index])) == .corrupt, "\(index)")
        }
        #expect(code(whole + [0]) == .corrupt)
        // The number of sealed bytes reaches beyond the end, and the checksum is right.
        for following in [0, 11] { #expect(code(file(following: following)) == .corrupt) }
        #expect(chip.asked.withLock { $0 }.isEmpty)
        #expect(code(file(following: 12)) == .corrupt)
        #expect(chip.asked.withLock { $0 }.count == 1)
    }
}
