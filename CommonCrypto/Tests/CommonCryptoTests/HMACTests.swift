// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Testing

private let lengths: [(algorithm: Int, name: String, length: Int32)] = [
    (kCCHmacAlgMD5, "md5", CC_MD5_DIGEST_LENGTH), (kCCHmacAlgSHA1, "sha1", CC_SHA1_DIGEST_LENGTH),
    (kCCHmacAlgSHA224, "sha224", CC_SHA224_DIGEST_LENGTH), (kCCHmacAlgSHA256, "sha256", CC_SHA256_DIGEST_LENGTH),
    (kCCHmacAlgSHA384, "sha384", CC_SHA384_DIGEST_LENGTH), (kCCHmacAlgSHA512, "sha512", CC_SHA512_DIGEST_LENGTH),
]

private func code(_ algorithm: Int, _ length: Int32, key: [UInt8], _ data: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(length))
    CCHmac(CCHmacAlgorithm(algorithm), key, key.count, data, data.count, &result)
    return result
}

@Suite struct HMACTests {
    /// Test case 2 of RFC 2202, and test cases 2 and 6 of RFC 4231.
    @Test func codes_areThoseOfTheStandards() {
        let jefe = Array("Jefe".utf8)
        let question = Array("what do ya want for nothing?".utf8)
        #expect(
            code(kCCHmacAlgMD5, CC_MD5_DIGEST_LENGTH, key: jefe, question).hex == "750c783e6ab0b503eaa86e310a5db738")
        #expect(
            code(kCCHmacAlgSHA1, CC_SHA1_DIGEST_LENGTH, key: jefe, question).hex
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(
            code(kCCHmacAlgSHA224, CC_SHA224_DIGEST_LENGTH, key: jefe, question).hex
                == "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44")
        #expect(
            code(kCCHmacAlgSHA256, CC_SHA256_DIGEST_LENGTH, key: jefe, question).hex
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let long = [UInt8](repeating: 0xaa, count: 131)
        let text = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(
            code(kCCHmacAlgSHA256, CC_SHA256_DIGEST_LENGTH, key: long, text).hex
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            code(kCCHmacAlgSHA512, CC_SHA512_DIGEST_LENGTH, key: long, text).hex.hasPrefix(
                "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"))
    }

    @Test func anyKeyAndData_giveTheCodeOfOpenSSL() throws {
        for (algorithm, name, length) in lengths {
            for count in [1, 20, 63, 64, 65, 127, 128, 129, 200] {
                let key = [UInt8].random(count)
                let data = [UInt8].random(.random(in: 0...300))
                let expected = try openssl(
                    ["dgst", "-" + name, "-mac", "HMAC", "-macopt", "hexkey:" + key.hex, "-binary"], input: data)
                #expect(code(algorithm, length, key: key, data) == expected, "\(name), key of \(count) bytes")
            }
        }
    }

    @Test func pieces_giveTheCodeOfTheWhole_fromACopyToo() {
        for (algorithm, _, length) in lengths {
            for _ in 0..<50 {
                let key = [UInt8].random(.random(in: 0...200))
                let data = [UInt8].random(.random(in: 0...500))
                var context = CCHmacContext()
                CCHmacInit(&context, CCHmacAlgorithm(algorithm), key, key.count)
                for piece in data.randomPieces(upTo: 100) { CCHmacUpdate(&context, piece, piece.count) }
                var copy = context
                var first = [UInt8](repeating: 0, count: Int(length))
                var second = first
                CCHmacFinal(&context, &first)
                CCHmacFinal(&copy, &second)
                #expect(first == code(algorithm, length, key: key, data))
                #expect(second == first)
                #expect(withUnsafeBytes(of: &context) { $0.allSatisfy { $0 == 0 } })
            }
        }
    }

    @Test func whatIsMissingOrUnknown_writesNothing() {
        var result = [UInt8](repeating: 7, count: 64)
        CCHmac(99, "k", 1, "a", 1, &result)
        CCHmac(.max, "k", 1, "a", 1, &result)
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), nil, 1, "a", 1, &result)
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "k", 1, nil, 1, &result)
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "k", 1, "a", 1, nil)
        var context = CCHmacContext()
        CCHmacUpdate(&context, "a", 1)
        CCHmacFinal(&context, &result)
        CCHmacInit(nil, 0, nil, 0)
        CCHmacUpdate(nil, nil, 0)
        CCHmacFinal(nil, nil)
        #expect(result.allSatisfy { $0 == 7 })
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), nil, 0, nil, 0, &result)
        #expect([UInt8](result.prefix(4)).hex == "b613679a")
    }
}
