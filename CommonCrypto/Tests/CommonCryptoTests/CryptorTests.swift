// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Testing

@Suite struct CryptorTests {
    /// The key and the first two blocks of each example in NIST SP 800-38A, appendix F.
    @Test(arguments: [
        ("aes-128-ecb", "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"),
        ("aes-128-cbc", "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"),
        ("aes-128-cfb", "3b3fd92eb72dad20333449f8e83cfb4a c8a64537a0b3a93fcde3cdad9f1ce58b"),
        ("aes-128-cfb8", "3b79424c9c0dd436bace9e0ed4586a4f 32b9"),
        ("aes-128-ofb", "3b3fd92eb72dad20333449f8e83cfb4a 7789508d16918f03f53c52dac54ed825"),
        ("aes-256-cbc", "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"),
        ("aes-128-ctr", "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"),
    ])
    func ciphertext_isThatOfTheStandard(name: String, expected: String) throws {
        let cipher = try #require(CipherUnderTest.all.first { $0.description == name })
        let long = "603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4"
        let key = [UInt8](hex: cipher.keySize == 32 ? long : "2b7e151628aed2a6abf7158809cf4f3c")
        let counter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
        let iv = [UInt8](hex: name.hasSuffix("ctr") ? counter : "000102030405060708090a0b0c0d0e0f")
        let text = [UInt8](hex: "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51")
        let result = [UInt8](hex: expected)
        let plaintext = Array(text.prefix(result.count))
        #expect(Cryptor(kCCEncrypt, cipher, padded: false, key: key, iv: iv).whole(plaintext) == result)
        #expect(Cryptor(kCCDecrypt, cipher, padded: false, key: key, iv: iv).whole(result) == plaintext)
    }

    @Test(arguments: CipherUnderTest.all) func whatOneWrites_openSSLReads_andTheReverse(cipher: CipherUnderTest) throws
    {
        for count in [0, 1, 15, 16, 17, 100] {
            for padded in cipher.hasBlocks ? [true, false] : [true] where padded || count % 16 == 0 {
                let key = [UInt8].random(cipher.keySize)
                let iv = [UInt8].random(cipher.blockSize)
                let text = [UInt8].random(count)
                var command = ["enc", "-" + cipher.description, "-K", key.hex]
                if cipher.mode != CCMode(kCCModeECB), cipher.blockSize > 1 { command += ["-iv", iv.hex] }
                if cipher.isLegacy { command += ["-provider", "default", "-provider", "legacy"] }
                if !padded { command += ["-nopad"] }
                let ours = try #require(
                    Cryptor(kCCEncrypt, cipher, padded: padded, key: key, iv: iv).whole(text))
                #expect(try openssl(command, input: text) == ours)
                #expect(try openssl(command + ["-d"], input: ours) == text)
                #expect(Cryptor(kCCDecrypt, cipher, padded: padded, key: key, iv: iv).whole(ours) == text)
            }
        }
    }

    /// Each update writes as many bytes as announced, and writes nowhere else.
    @Test(arguments: CipherUnderTest.all) func pieces_giveTheSameAsTheWhole(cipher: CipherUnderTest) throws {
        for _ in 0..<60 {
            let padded = Bool.random()
            let count = Int.random(in: 0...200)
            let text = [UInt8].random(padded || !cipher.hasBlocks ? count : count / 16 * 16)
            let key = [UInt8].random(cipher.keySize)
            let iv = Bool.random() ? [UInt8].random(cipher.blockSize) : nil
            let sealed = try #require(Cryptor(kCCEncrypt, cipher, padded: padded, key: key, iv: iv).whole(text))
            for (operation, input, expected) in [(kCCEncrypt, text, sealed), (kCCDecrypt, sealed, text)] {
                let cryptor = Cryptor(operation, cipher, padded: padded, key: key, iv: iv)
                var result: [UInt8] = []
                for piece in input.randomPieces(upTo: 40) { result += try #require(cryptor.update(piece)) }
                result += try #require(cryptor.finish(room: cipher.blockSize))
                #expect(result == expected)
            }
        }
    }

    @Test(arguments: CipherUnderTest.all) func tooLittleRoom_changesNothing_andSaysWhatIsNeeded(
        cipher: CipherUnderTest
    ) throws {
        for operation in [kCCEncrypt, kCCDecrypt] {
            let key = [UInt8].random(cipher.keySize)
            let text = [UInt8].random(64)
            let sealed = try #require(Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: nil).whole(text))
            let input = operation == kCCEncrypt ? text : sealed
            let cryptor = Cryptor(operation, cipher, padded: true, key: key, iv: nil)
            var buffer = [UInt8](repeating: 7, count: 256)
            var moved = -1
            let needed = CCCryptorGetOutputLength(cryptor.reference, input.count, false)
            for room in 0..<needed {
                let status = CCCryptorUpdate(cryptor.reference, input, input.count, &buffer, room, &moved)
                #expect(status == kCCBufferTooSmall)
                #expect(moved == needed)
            }
            #expect(buffer.allSatisfy { $0 == 7 })
            let first = try #require(cryptor.update(input))
            let rest = (operation == kCCEncrypt ? sealed : text).count - first.count
            for room in 0..<rest {
                #expect(CCCryptorFinal(cryptor.reference, &buffer, room, &moved) == kCCBufferTooSmall)
                #expect(moved == rest)
            }
            #expect(buffer.allSatisfy { $0 == 7 })
            #expect(first + (cryptor.finish(room: rest) ?? []) == (operation == kCCEncrypt ? sealed : text))
        }
    }

    @Test(arguments: CipherUnderTest.ofBlocks) func inputThatIsNoWholeBlocks_isAnAlignmentError(
        cipher: CipherUnderTest
    ) {
        let key = [UInt8].random(cipher.keySize)
        var buffer = [UInt8](repeating: 0, count: 64)
        var moved = 0
        for (operation, padded) in [(kCCEncrypt, false), (kCCDecrypt, false), (kCCDecrypt, true)] {
            let cryptor = Cryptor(operation, cipher, padded: padded, key: key, iv: nil)
            _ = cryptor.update(.random(cipher.blockSize + 3))
            #expect(CCCryptorFinal(cryptor.reference, &buffer, 64, &moved) == kCCAlignmentError)
            #expect(moved == 0)
        }
    }

    @Test(arguments: CipherUnderTest.ofBlocks) func wrongPadding_isADecodeError(cipher: CipherUnderTest) throws {
        let key = [UInt8].random(cipher.keySize)
        let size = cipher.blockSize
        var buffer = [UInt8](repeating: 0, count: 64)
        for (last, isPadding) in [(0, false), (1, true), (2, false), (size + 1, false), (255, false)] {
            var text = [UInt8](repeating: 9, count: 2 * size)
            text[2 * size - 1] = UInt8(last)
            let sealed = try #require(Cryptor(kCCEncrypt, cipher, padded: false, key: key, iv: nil).whole(text))
            let cryptor = Cryptor(kCCDecrypt, cipher, padded: true, key: key, iv: nil)
            _ = cryptor.update(sealed)
            var moved = -1
            let status = CCCryptorFinal(cryptor.reference, &buffer, 64, &moved)
            #expect(status == (isPadding ? kCCSuccess : kCCDecodeError))
            #expect(moved == (isPadding ? size - 1 : 0))
            guard !isPadding else { continue }
            #expect(CCCryptorUpdate(cryptor.reference, sealed, size, &buffer, 64, nil) == kCCCallSequenceError)
            #expect(CCCryptorFinal(cryptor.reference, &buffer, 64, nil) == kCCCallSequenceError)
            guard cipher.mode == CCMode(kCCModeCBC) else { continue }
            let good = try #require(Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: nil).whole(text))
            #expect(CCCryptorReset(cryptor.reference, nil) == kCCSuccess)
            #expect(cryptor.whole(good) == text)
        }
    }

    @Test(arguments: CipherUnderTest.all) func outputOverInput_givesTheSame(cipher: CipherUnderTest) throws {
        for _ in 0..<40 {
            let key = [UInt8].random(cipher.keySize)
            let text = [UInt8].random(.random(in: 0...100))
            let shift = Int.random(in: -20...20)
            let sealed = try #require(Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: nil).whole(text))
            for (operation, input, expected) in [(kCCEncrypt, text, sealed), (kCCDecrypt, sealed, text)] {
                let cryptor = Cryptor(operation, cipher, padded: true, key: key, iv: nil)
                // The first bytes come alone, so that some may be held back.
                let first = Int.random(in: 0...min(5, input.count))
                var result = try #require(cryptor.update(Array(input.prefix(first))))
                var memory = [UInt8](repeating: 0, count: 300)
                let rest = Array(input.dropFirst(first))
                memory.replaceSubrange(100..<100 + rest.count, with: rest)
                var moved = 0
                let status = memory.withUnsafeMutableBytes { memory in
                    let start = memory.baseAddress
                    return CCCryptorUpdate(
                        cryptor.reference, start.map { $0 + 100 }, rest.count, start.map { $0 + 100 + shift }, 160,
                        &moved)
                }
                #expect(status == kCCSuccess)
                result += memory[(100 + shift)..<(100 + shift + moved)]
                result += try #require(cryptor.finish(room: cipher.blockSize))
                #expect(result == expected)
            }
        }
    }

    @Test func reset_beginsAnewWithAnotherVector() throws {
        for cipher in CipherUnderTest.all {
            let key = [UInt8].random(cipher.keySize)
            let iv = [UInt8].random(cipher.blockSize)
            let cryptor = Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: nil)
            _ = cryptor.update(.random(21))
            let canReset = cipher.mode == CCMode(kCCModeCBC) || cipher.mode == CCMode(kCCModeCTR)
            #expect(CCCryptorReset(cryptor.reference, iv) == (canReset ? kCCSuccess : kCCUnimplemented))
            guard canReset else { continue }
            let text = [UInt8].random(37)
            let expected = try #require(Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: iv).whole(text))
            #expect(cryptor.whole(text) == expected)
            #expect(CCCryptorReset(cryptor.reference, nil) == kCCSuccess)
            #expect(cryptor.whole([]) == Cryptor(kCCEncrypt, cipher, padded: true, key: key, iv: nil).whole([]))
        }
        #expect(CCCryptorReset(nil, nil) == kCCParamError)
    }

    @Test func keysOfEveryLength_areTakenOrRefusedByLength() {
        let ranges: [(Int, Set<Int>)] = [
            (kCCAlgorithmAES, [16, 24, 32]), (kCCAlgorithmDES, [8]), (kCCAlgorithm3DES, [24]),
            (kCCAlgorithmCAST, Set(5...16)), (kCCAlgorithmBlowfish, Set(8...56)), (kCCAlgorithmRC4, Set(1...512)),
            (kCCAlgorithmRC2, Set(1...128)),
        ]
        for (algorithm, lengths) in ranges {
            for count in 0...520 {
                var cryptor: CCCryptorRef?
                let key = [UInt8](repeating: 1, count: max(count, 1))
                let status = CCCryptorCreate(0, CCAlgorithm(algorithm), 0, key, count, nil, &cryptor)
                if !lengths.contains(count) {
                    #expect(status == kCCKeySizeError)
                } else if algorithm == kCCAlgorithmRC4, count > 256 {
                    #expect(status == kCCSuccess || status == kCCUnimplemented)
                } else {
                    #expect(status == kCCSuccess, "\(algorithm), \(count) bytes")
                }
                #expect((cryptor != nil) == (status == kCCSuccess))
                CCCryptorRelease(cryptor)
            }
        }
    }

    /// RFC 2268, section 5: the vectors in which all bits of the key are effective, and OpenSSL's own for other lengths.
    @Test func rc2_countsAllBitsOfTheKey() throws {
        let vectors: [(key: [UInt8], plaintext: [UInt8], ciphertext: [UInt8])] = [
            (
                Array(repeating: 0xff, count: 8), Array(repeating: 0xff, count: 8),
                [0x27, 0x8b, 0x27, 0xe4, 0x2e, 0x2f, 0x0d, 0x49]
            ),
            (
                [0x30] + Array(repeating: 0, count: 7), [0x10, 0, 0, 0, 0, 0, 0, 1],
                [0x30, 0x64, 0x9e, 0xdf, 0x9b, 0xe7, 0xd2, 0xc2]
            ),
            (
                [0x88, 0xbc, 0xa9, 0x0e, 0x90, 0x87, 0x5a, 0x7f, 0x0f, 0x79, 0xc3, 0x84, 0x62, 0x7b, 0xaf, 0xb2],
                Array(repeating: 0, count: 8), [0x22, 0x69, 0x55, 0x2a, 0xb0, 0xf8, 0x5c, 0xa6]
            ),
        ]
        for (key, plaintext, ciphertext) in vectors {
            var result = [UInt8](repeating: 0, count: 8)
            let status = CCCrypt(
                0, CCAlgorithm(kCCAlgorithmRC2), CCOptions(kCCOptionECBMode), key, key.count, nil, plaintext, 8,
                &result, 8,
                nil)
            #expect(status == kCCSuccess && result == ciphertext, "\(key.count)")
        }
        for count in kCCKeySizeMinRC2...kCCKeySizeMaxRC2 {
            let key = [UInt8].random(count), text = [UInt8].random(20)
            var sealed = [UInt8](repeating: 0, count: 24), opened = sealed
            var moved = 0
            let rc2 = CCAlgorithm(kCCAlgorithmRC2)
            #expect(CCCrypt(0, rc2, 1, key, count, nil, text, 20, &sealed, 24, &moved) == kCCSuccess && moved == 24)
            #expect(CCCrypt(1, rc2, 1, key, count, nil, sealed, 24, &opened, 24, &moved) == kCCSuccess && moved == 20)
            #expect(Array(opened.prefix(20)) == text)
        }
    }

    @Test func whatIsMissingUnknownOrNotThere_isRefused() {
        let key = [UInt8](repeating: 1, count: 16)
        var cryptor: CCCryptorRef?
        #expect(CCCryptorCreate(0, 0, 0, nil, 16, nil, &cryptor) == kCCParamError)
        #expect(CCCryptorCreate(0, 0, 0, key, 16, nil, nil) == kCCParamError)
        #expect(CCCryptorCreate(2, 0, 0, key, 16, nil, &cryptor) == kCCParamError)
        #expect(CCCryptorCreate(0, 7, 0, key, 16, nil, &cryptor) == kCCParamError)
        #expect(CCCryptorCreate(0, .max, 0, key, 16, nil, &cryptor) == kCCParamError)
        for mode in [0, 5, 6, 8, 11, CCMode.max] {
            #expect(CCCryptorCreateWithMode(0, mode, 0, 0, nil, key, 16, nil, 0, 0, 0, &cryptor) == kCCParamError)
        }
        for (mode, algorithm) in [(kCCModeCTR, kCCAlgorithmDES), (kCCModeRC4, kCCAlgorithmAES)] {
            let key = [UInt8](repeating: 1, count: 24)
            let status = CCCryptorCreateWithMode(
                0, CCMode(mode), CCAlgorithm(algorithm), 0, nil, key, algorithm == kCCAlgorithmDES ? 8 : 16, nil, 0, 0,
                0, &cryptor)
            #expect(status == kCCUnimplemented)
        }
        #expect(cryptor == nil)
        var moved = 1
        #expect(CCCryptorUpdate(nil, key, 1, nil, 0, &moved) == kCCParamError)
        #expect(CCCryptorFinal(nil, nil, 0, &moved) == kCCSuccess)
        #expect(CCCryptorRelease(nil) == kCCSuccess)
        #expect(CCCryptorGetOutputLength(nil, 5, true) == 0)
    }

    @Test func missingPointers_areRefusedWhereSomethingWouldBeThere() throws {
        let key = [UInt8](repeating: 1, count: 16)
        var cryptor: CCCryptorRef?
        #expect(CCCryptorCreate(0, 0, 1, key, 16, nil, &cryptor) == kCCSuccess)
        defer { CCCryptorRelease(cryptor) }
        #expect(CCCryptorUpdate(cryptor, nil, 0, nil, 0, nil) == kCCSuccess)
        #expect(CCCryptorUpdate(cryptor, nil, 3, nil, 0, nil) == kCCParamError)
        #expect(CCCryptorUpdate(cryptor, key, 3, nil, 0, nil) == kCCSuccess)
        #expect(CCCryptorUpdate(cryptor, key, 16, nil, 99, nil) == kCCParamError)
        #expect(CCCryptorFinal(cryptor, nil, 99, nil) == kCCParamError)
        #expect(CCCryptorGetOutputLength(cryptor, Int(bitPattern: UInt.max), true) == Int(bitPattern: UInt.max))
    }

    @Test func oneCall_saysHowMuchRoomItNeeds() {
        let key = [UInt8].random(16)
        let text = [UInt8].random(30)
        var buffer = [UInt8](repeating: 7, count: 64)
        for (options, needed) in [(kCCOptionPKCS7Padding, 32), (kCCOptionPKCS7Padding | kCCOptionECBMode, 32)] {
            for room in 0..<needed {
                var moved = 0
                let status = CCCrypt(0, 0, CCOptions(options), key, 16, nil, text, 30, &buffer, room, &moved)
                #expect(status == kCCBufferTooSmall)
                #expect(moved == needed)
                #expect(buffer.allSatisfy { $0 == 7 })
            }
        }
        var moved = 0
        #expect(CCCrypt(0, 0, 0, key, 16, nil, text, 30, &buffer, 64, &moved) == kCCAlignmentError)
        #expect(CCCrypt(1, 0, 1, key, 16, nil, nil, 0, nil, 0, &moved) == kCCSuccess)
        #expect(moved == 0)
    }

    @Test func cryptorInTheCallersMemory_worksAsAnyOther() {
        let key = [UInt8].random(16)
        var memory = [UInt8](repeating: 0, count: kCCContextSizeAES128)
        var cryptor: CCCryptorRef?
        var used = 0
        #expect(
            CCCryptorCreateFromData(0, 0, 1, key, 16, nil, &memory, 1, &cryptor, &used) == kCCBufferTooSmall)
        #expect(used > 1)
        #expect(
            CCCryptorCreateFromData(0, 0, 1, key, 16, nil, &memory, memory.count, &cryptor, &used) == kCCSuccess)
        var result = [UInt8](repeating: 0, count: 16)
        #expect(CCCryptorFinal(cryptor, &result, 16, nil) == kCCSuccess)
        CCCryptorRelease(cryptor)
        var expected = [UInt8](repeating: 0, count: 16)
        CCCrypt(0, 0, 1, key, 16, nil, nil, 0, &expected, 16, nil)
        #expect(result == expected)
    }
}
