// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore
import Testing

@testable import SecItemSealing

/// Key files that a chip has sealed, as far as they are read without the chip. Tests/Packages/Chip opens them.
@Suite struct ChipSealedFileTests {
    /// What a chip says that is not there.
    private let seal = ChipSeal { () throws(StoreError) in throw StoreError(.cancelled, "the chip was asked") }

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

    @Test(arguments: [0, 1, 40, 255, 256, 3_000] as [UInt16]) func wholeFile_isTheChips(_ count: UInt16) {
        #expect(code(file(sealed: count)) == .cancelled)
        #expect(ChipSealedFile.isSealed(Secret(Data(file(sealed: count)))))
        #expect(!ChipSealedFile.isSealed(Secret(Data("SICHQ\0\0\u{1}".utf8))))
    }

    /// Whoever updates one of two programs is told that the other one is too old, and not that the file is damaged.
    @Test(arguments: [0, 2, 255] as [UInt8]) func newerFile_isSaidToBeNewer(_ version: UInt8) {
        #expect(code(file(version: version)) == .unavailable)
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
        #expect(code(file(following: 12)) == .cancelled)
    }
}
