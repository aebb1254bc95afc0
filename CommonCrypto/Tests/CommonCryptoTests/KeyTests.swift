// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Testing

private func derived(
    _ prf: Int, _ password: [UInt8], _ salt: [UInt8], _ rounds: UInt32, _ count: Int
) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    let status = password.withUnsafeBytes { password in
        CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), password.bindMemory(to: CChar.self).baseAddress, password.count, salt,
            salt.count, CCPseudoRandomAlgorithm(prf), rounds, &key, count)
    }
    return status == kCCSuccess ? key : []
}

@Suite struct KeyDerivationTests {
    /// The tests of RFC 6070, and of RFC 7914, section 11.
    @Test func keys_areThoseOfTheStandards() {
        let password = Array("password".utf8)
        let salt = Array("salt".utf8)
        #expect(
            derived(kCCPRFHmacAlgSHA1, password, salt, 1, 20).hex == "0c60c80f961f0e71f3a9b524af6012062fe037a6")
        #expect(
            derived(kCCPRFHmacAlgSHA1, password, salt, 4096, 20).hex == "4b007901b765489abead49d926f721d065a429c1")
        let long = Array("passwordPASSWORDpassword".utf8)
        let longSalt = Array("saltSALTsaltSALTsaltSALTsaltSALTsalt".utf8)
        #expect(
            derived(kCCPRFHmacAlgSHA1, long, longSalt, 4096, 25).hex
                == "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038")
        #expect(
            derived(kCCPRFHmacAlgSHA1, Array("pass\0word".utf8), Array("sa\0lt".utf8), 4096, 16).hex
                == "56fa6aa75548099dcc37d7f03425e0c3")
        #expect(
            derived(kCCPRFHmacAlgSHA256, Array("passwd".utf8), salt, 1, 64).hex
                == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")
    }

    @Test func anyPasswordAndSalt_giveTheKeyOfOpenSSL() throws {
        let names = [
            (kCCPRFHmacAlgSHA1, "SHA1"), (kCCPRFHmacAlgSHA224, "SHA224"), (kCCPRFHmacAlgSHA256, "SHA256"),
            (kCCPRFHmacAlgSHA384, "SHA384"), (kCCPRFHmacAlgSHA512, "SHA512"),
        ]
        for (prf, name) in names {
            for count in [1, 20, 64, 200] {
                let password = [UInt8].random(count)
                let salt = [UInt8].random(count)
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
                process.arguments = [
                    "kdf", "-keylen", "70", "-kdfopt", "digest:" + name, "-kdfopt", "hexpass:" + password.hex,
                    "-kdfopt",
                    "hexsalt:" + salt.hex, "-kdfopt", "iter:7", "-kdfopt", "pkcs5:1", "PBKDF2",
                ]
                let pipe = Pipe()
                process.standardOutput = pipe
                try process.run()
                let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                let expected = [UInt8](hex: String(decoding: output, as: UTF8.self).filter(\.isHexDigit))
                #expect(derived(prf, password, salt, 7, 70) == expected)
            }
        }
    }

    @Test func whatIsMissingOrOutOfRange_isRefused() {
        var key = [UInt8](repeating: 7, count: 16)
        let prf = CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1)
        #expect(CCKeyDerivationPBKDF(1, "p", 1, [1], 1, prf, 1, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, nil, 1, [1], 1, prf, 1, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, nil, 1, prf, 1, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, 0, 1, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, 6, 1, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, prf, 0, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, prf, .max, &key, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, prf, 1, nil, 16) == kCCParamError)
        #expect(CCKeyDerivationPBKDF(2, "p", 1, [1], 1, prf, 1, &key, 0) == kCCParamError)
        #expect(key.allSatisfy { $0 == 7 })
        #expect(CCKeyDerivationPBKDF(2, "", 0, nil, 0, prf, 1, &key, 16) == kCCSuccess)
    }

    @Test func calibration_givesMoreRoundsForMoreTime_andNoneForWhatCannotBe() {
        let prf = CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256)
        #expect(CCCalibratePBKDF(2, 8, 8, prf, 32, 0) == 10000)
        #expect(CCCalibratePBKDF(2, 8, 8, prf, 32, .max) > 10000)
        #expect(CCCalibratePBKDF(2, 8, 8, prf, Int(Int32.max), 1) == 10000)
        #expect(CCCalibratePBKDF(1, 8, 8, prf, 32, 100) == .max)
        #expect(CCCalibratePBKDF(2, 8, 133, prf, 32, 100) == .max)
        #expect(CCCalibratePBKDF(2, 8, 8, 9, 32, 100) == .max)
        #expect(CCCalibratePBKDF(2, 8, 8, prf, 0, 100) == .max)
    }
}

@Suite struct KeyWrapTests {
    private func wrap(_ key: [UInt8], with kek: [UInt8], iv: [UInt8]? = nil) -> (status: Int32, result: [UInt8]) {
        var count = CCSymmetricWrappedSize(CCWrappingAlgorithm(kCCWRAPAES), key.count)
        var result = [UInt8](repeating: 0, count: count)
        let status = CCSymmetricKeyWrap(
            CCWrappingAlgorithm(kCCWRAPAES), iv ?? [UInt8](repeating: 0xa6, count: CCrfc3394_ivLen),
            iv?.count ?? CCrfc3394_ivLen, kek, kek.count, key, key.count, &result, &count)
        return (status, Array(result.prefix(count)))
    }

    private func unwrap(_ key: [UInt8], with kek: [UInt8], iv: [UInt8]? = nil) -> (status: Int32, result: [UInt8]) {
        var count = CCSymmetricUnwrappedSize(CCWrappingAlgorithm(kCCWRAPAES), key.count)
        var result = [UInt8](repeating: 7, count: count)
        let status = CCSymmetricKeyUnwrap(
            CCWrappingAlgorithm(kCCWRAPAES), iv, iv?.count ?? 0, kek, kek.count, key, key.count, &result, &count)
        if status != kCCSuccess { #expect(count == 0 && result.allSatisfy { $0 == 0 || $0 == 7 }) }
        return (status, Array(result.prefix(count)))
    }

    /// The tests of RFC 3394, section 4.
    @Test(arguments: [
        (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
        (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
        (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
        (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
        (32, 32, "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"),
    ])
    func wrappedKeys_areThoseOfTheStandard(kekCount: Int, count: Int, expected: String) {
        let kek = (0..<kekCount).map { UInt8($0) }
        let key = Array([UInt8](hex: "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f").prefix(count))
        let wrapped = wrap(key, with: kek)
        #expect(wrapped.status == kCCSuccess)
        #expect(wrapped.result.hex == expected)
        let unwrapped = unwrap(wrapped.result, with: kek)
        #expect(unwrapped.status == kCCSuccess)
        #expect(unwrapped.result == key)
    }

    @Test func anyFlippedBit_isADecodeError() {
        let kek = [UInt8].random(32)
        let wrapped = wrap(.random(24), with: kek).result
        for bit in 0..<wrapped.count * 8 {
            var other = wrapped
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(unwrap(other, with: kek).status == kCCDecodeError)
        }
        #expect(unwrap(wrapped, with: .random(32)).status == kCCDecodeError)
        for count in [16, 23, 25, 31] { #expect(unwrap(.random(count), with: kek).status == kCCDecodeError) }
    }

    @Test func initializationVector_isCompared_andTheStandardsAlwaysTaken() {
        let kek = [UInt8].random(16)
        let key = [UInt8].random(16)
        let iv = [UInt8].random(8)
        #expect(unwrap(wrap(key, with: kek, iv: iv).result, with: kek, iv: iv).result == key)
        #expect(unwrap(wrap(key, with: kek, iv: iv).result, with: kek).status == kCCDecodeError)
        #expect(unwrap(wrap(key, with: kek).result, with: kek, iv: iv).result == key)
        #expect(wrap(key, with: kek, iv: [1, 2, 3]).status == kCCParamError)
    }

    @Test func whatIsMissingOrOutOfRange_isRefused() {
        let key = [UInt8].random(16)
        for count in [0, 8, 15, 17, 20] { #expect(wrap(.random(count), with: key).status == kCCParamError) }
        for count in [0, 8, 15, 17, 33] { #expect(wrap(key, with: .random(count)).status == kCCParamError) }
        var room = 23
        var result = [UInt8](repeating: 7, count: 24)
        #expect(CCSymmetricKeyWrap(1, nil, 0, key, 16, key, 16, &result, &room) == kCCParamError)
        #expect(room == 0)
        room = 24
        #expect(CCSymmetricKeyWrap(1, nil, 0, nil, 16, key, 16, &result, &room) == kCCParamError)
        #expect(CCSymmetricKeyWrap(1, nil, 0, key, 16, nil, 16, &result, &room) == kCCParamError)
        #expect(CCSymmetricKeyWrap(1, nil, 0, key, 16, key, 16, nil, &room) == kCCParamError)
        #expect(CCSymmetricKeyWrap(1, nil, 0, key, 16, key, 16, &result, nil) == kCCParamError)
        #expect(CCSymmetricKeyUnwrap(1, nil, 0, key, 16, key, 16, &result, nil) == kCCParamError)
        #expect(CCSymmetricKeyUnwrap(1, nil, 0, key, 16, nil, 16, &result, &room) == kCCParamError)
    }

    @Test func keyOverItself_isWrappedAndUnwrapped() {
        let kek = [UInt8].random(16)
        let key = [UInt8].random(32)
        var memory = key + [UInt8](repeating: 0, count: 8)
        var count = 40
        memory.withUnsafeMutableBufferPointer { memory in
            #expect(
                CCSymmetricKeyWrap(1, nil, 0, kek, 16, memory.baseAddress, 32, memory.baseAddress, &count) == kCCSuccess
            )
            #expect(Array(memory) == wrap(key, with: kek).result)
            #expect(
                CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, memory.baseAddress, 40, memory.baseAddress, &count)
                    == kCCSuccess)
        }
        #expect(count == 32)
        #expect(Array(memory.prefix(32)) == key)
    }
}

@Suite struct RandomTests {
    @Test func randomBytes_fillAllOfTheMemoryAndNothingElse() {
        for count in [0, 1, 255, 256, 257, 100_000] {
            var memory = [UInt8](repeating: 0, count: count + 8)
            #expect(CCRandomGenerateBytes(&memory, count) == kCCSuccess)
            #expect(memory.suffix(8).allSatisfy { $0 == 0 })
            if count > 1000 { #expect(memory.prefix(count).suffix(64).contains { $0 != 0 }) }
        }
        #expect(CCRandomGenerateBytes(nil, 0) == kCCSuccess)
        #expect(CCRandomGenerateBytes(nil, 1) == kCCParamError)
    }
}

@Suite struct MemoryTests {
    @Test func memoryIsFilled_asFarAsItReaches() {
        var memory = [UInt8](repeating: 7, count: 16)
        #expect(memset_s(&memory, 16, 0x101, 4) == 0)
        #expect(memory == [1, 1, 1, 1] + [UInt8](repeating: 7, count: 12))
        #expect(memset_s(&memory, 8, 2, 9) == EOVERFLOW)
        #expect(memory == [UInt8](repeating: 2, count: 8) + [UInt8](repeating: 7, count: 8))
        #expect(memset_s(nil, 8, 0, 8) == EINVAL)
        #expect(memset_s(&memory, Int(bitPattern: UInt.max), 0, 8) == E2BIG)
        #expect(memory[0] == 2)
    }

    @Test func memoryIsCompared_whereverItDiffers() {
        let bytes = [UInt8].random(33)
        #expect(timingsafe_bcmp(bytes, Array(bytes), bytes.count) == 0)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(timingsafe_bcmp(bytes, other, bytes.count) != 0)
            #expect(timingsafe_bcmp(bytes, other, index) == 0)
        }
    }
}
