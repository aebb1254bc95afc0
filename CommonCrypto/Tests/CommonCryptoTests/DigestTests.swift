// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Testing

/// The functions of a digest: for data in one piece, and in several.
struct DigestUnderTest: CustomStringConvertible, Sendable {
    let description: String
    let length: Int
    /// The digest of "abc" in the standard.
    let ofABC: String
    let whole: @Sendable ([UInt8]) -> [UInt8]
    let pieces: @Sendable ([[UInt8]]) -> [UInt8]

    static let all = [
        DigestUnderTest(
            description: "md2", length: Int(CC_MD2_DIGEST_LENGTH), ofABC: "da853b0d3f88d99b30283a69e6ded6bb",
            whole: { digest($0, Int(CC_MD2_DIGEST_LENGTH), CC_MD2) },
            pieces: {
                digest($0, Int(CC_MD2_DIGEST_LENGTH), CC_MD2_CTX(), CC_MD2_Init, CC_MD2_Update, CC_MD2_Final)
            }),
        DigestUnderTest(
            description: "md4", length: Int(CC_MD4_DIGEST_LENGTH), ofABC: "a448017aaf21d8525fc10ae87aa6729d",
            whole: { digest($0, Int(CC_MD4_DIGEST_LENGTH), CC_MD4) },
            pieces: {
                digest(
                    $0, Int(CC_MD4_DIGEST_LENGTH), CC_MD4_CTX(), CC_MD4_Init, CC_MD4_Update, CC_MD4_Final)
            }),
        DigestUnderTest(
            description: "md5", length: Int(CC_MD5_DIGEST_LENGTH), ofABC: "900150983cd24fb0d6963f7d28e17f72",
            whole: { digest($0, Int(CC_MD5_DIGEST_LENGTH), CC_MD5) },
            pieces: {
                digest($0, Int(CC_MD5_DIGEST_LENGTH), CC_MD5_CTX(), CC_MD5_Init, CC_MD5_Update, CC_MD5_Final)
            }),
        DigestUnderTest(
            description: "sha1", length: Int(CC_SHA1_DIGEST_LENGTH), ofABC: "a9993e364706816aba3e25717850c26c9cd0d89d",
            whole: { digest($0, Int(CC_SHA1_DIGEST_LENGTH), CC_SHA1) },
            pieces: {
                digest($0, Int(CC_SHA1_DIGEST_LENGTH), CC_SHA1_CTX(), CC_SHA1_Init, CC_SHA1_Update, CC_SHA1_Final)
            }),
        DigestUnderTest(
            description: "sha224", length: Int(CC_SHA224_DIGEST_LENGTH),
            ofABC: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
            whole: { digest($0, Int(CC_SHA224_DIGEST_LENGTH), CC_SHA224) },
            pieces: {
                digest(
                    $0, Int(CC_SHA224_DIGEST_LENGTH), CC_SHA256_CTX(), CC_SHA224_Init, CC_SHA224_Update,
                    CC_SHA224_Final)
            }),
        DigestUnderTest(
            description: "sha256", length: Int(CC_SHA256_DIGEST_LENGTH),
            ofABC: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            whole: { digest($0, Int(CC_SHA256_DIGEST_LENGTH), CC_SHA256) },
            pieces: {
                digest(
                    $0, Int(CC_SHA256_DIGEST_LENGTH), CC_SHA256_CTX(), CC_SHA256_Init, CC_SHA256_Update,
                    CC_SHA256_Final)
            }),
        DigestUnderTest(
            description: "sha384", length: Int(CC_SHA384_DIGEST_LENGTH),
            ofABC: """
                cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
                8086072ba1e7cc2358baeca134c825a7
                """,
            whole: { digest($0, Int(CC_SHA384_DIGEST_LENGTH), CC_SHA384) },
            pieces: {
                digest(
                    $0, Int(CC_SHA384_DIGEST_LENGTH), CC_SHA512_CTX(), CC_SHA384_Init, CC_SHA384_Update,
                    CC_SHA384_Final)
            }),
        DigestUnderTest(
            description: "sha512", length: Int(CC_SHA512_DIGEST_LENGTH),
            ofABC: """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """,
            whole: { digest($0, Int(CC_SHA512_DIGEST_LENGTH), CC_SHA512) },
            pieces: {
                digest(
                    $0, Int(CC_SHA512_DIGEST_LENGTH), CC_SHA512_CTX(), CC_SHA512_Init, CC_SHA512_Update,
                    CC_SHA512_Final)
            }),
    ]
}

private func digest(
    _ bytes: [UInt8], _ length: Int,
    _ function: (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?
) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: length)
    let given = function(bytes, CC_LONG(bytes.count), &result)
    return given == nil ? [] : result
}

private func digest<Context>(
    _ pieces: [[UInt8]], _ length: Int, _ empty: Context, _ begin: (UnsafeMutablePointer<Context>?) -> Int32,
    _ update: (UnsafeMutablePointer<Context>?, UnsafeRawPointer?, CC_LONG) -> Int32,
    _ finish: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Context>?) -> Int32
) -> [UInt8] {
    var context = empty
    var result = [UInt8](repeating: 0, count: length)
    guard begin(&context) == 1 else { return [] }
    for piece in pieces where update(&context, piece, CC_LONG(piece.count)) != 1 { return [] }
    // A copy continues from the same point and does not change the original.
    var copy = context
    guard finish(&result, &copy) == 1 else { return [] }
    let first = result
    guard finish(&result, &context) == 1, result == first else { return [] }
    return result
}

@Suite struct DigestTests {
    @Test(arguments: DigestUnderTest.all) func digestOfABC_isThatOfTheStandard(digest: DigestUnderTest) {
        #expect(digest.whole(Array("abc".utf8)).hex == digest.ofABC)
    }

    /// The tests of RFC 1319. OpenSSL has no MD2 for a comparison.
    @Test(arguments: [
        ("", "8350e5a3e24c153df2275c9f80692773"), ("a", "32ec01ec4a6dac72c0ab96fb34c0b5d1"),
        ("message digest", "ab4f496bfb2a530b219ff33031fe06b0"),
        ("abcdefghijklmnopqrstuvwxyz", "4e8ddff3650292ab5a4108c3aa47940b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "da33def2a42df13975352846c30338cd"),
        (String(repeating: "1234567890", count: 8), "d5976f79d83d3a0dc9806c3c66f3efd8"),
    ])
    func md2_isThatOfTheStandard(text: String, digest: String) throws {
        let md2 = try #require(DigestUnderTest.all.first { $0.description == "md2" })
        #expect(md2.whole(Array(text.utf8)).hex == digest)
    }

    @Test(arguments: DigestUnderTest.all.filter { $0.description != "md2" })
    func anyLength_isThatOfOpenSSL(digest: DigestUnderTest) throws {
        let legacy = digest.description == "md4" ? ["-provider", "default", "-provider", "legacy"] : []
        for count in [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 5000] {
            let bytes = [UInt8].random(count)
            let expected = try openssl(["dgst", "-" + digest.description, "-binary"] + legacy, input: bytes)
            #expect(digest.whole(bytes) == expected)
        }
    }

    @Test(arguments: DigestUnderTest.all) func pieces_giveTheDigestOfTheWhole(digest: DigestUnderTest) {
        for _ in 0..<200 {
            let bytes = [UInt8].random(.random(in: 0...700))
            #expect(digest.pieces(bytes.randomPieces(upTo: 150)) == digest.whole(bytes))
        }
    }

    @Test func whatIsMissing_isRefused() {
        var context = CC_SHA256_CTX()
        var result = [UInt8](repeating: 7, count: 64)
        #expect(CC_SHA256(nil, 1, &result) == nil)
        #expect(CC_SHA256(nil, 0, &result) != nil)
        #expect(CC_SHA256("a", 1, nil) == nil)
        #expect(CC_SHA256_Init(nil) == 0)
        #expect(CC_SHA256_Init(&context) == 1)
        #expect(CC_SHA256_Update(&context, nil, 1) == 0)
        #expect(CC_SHA256_Update(nil, "a", 1) == 0)
        #expect(CC_SHA256_Final(nil, &context) == 0)
        #expect(CC_SHA256_Final(&result, nil) == 0)
    }

    @Test func contextOfAnotherDigest_isRefusedAndWritesNothing() {
        var context = CC_SHA256_CTX()
        var result = [UInt8](repeating: 7, count: 64)
        #expect(CC_SHA256_Final(&result, &context) == 0)
        CC_SHA256_Init(&context)
        #expect(CC_SHA224_Update(&context, "a", 1) == 0)
        #expect(CC_SHA224_Final(&result, &context) == 0)
        #expect(result.allSatisfy { $0 == 7 })
        #expect(CC_SHA256_Final(&result, &context) == 1)
        #expect(CC_SHA256_Final(&result, &context) == 0)
    }

    /// Otherwise, output that was never computed could be taken for a digest.
    @Test func contextThatWasNotBegun_orIsFinished_isRefused() {
        func check<Context>(
            _ empty: Context, _ begin: (UnsafeMutablePointer<Context>?) -> Int32,
            _ update: (UnsafeMutablePointer<Context>?, UnsafeRawPointer?, CC_LONG) -> Int32,
            _ finish: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Context>?) -> Int32
        ) {
            var context = empty
            var result = [UInt8](repeating: 7, count: 64)
            #expect(update(&context, "a", 1) == 0)
            #expect(finish(&result, &context) == 0)
            #expect(result.allSatisfy { $0 == 7 })
            #expect(begin(&context) == 1)
            #expect(update(&context, "a", 1) == 1)
            #expect(finish(&result, &context) == 1)
            #expect(update(&context, "a", 1) == 0)
            #expect(finish(&result, &context) == 0)
        }
        check(CC_MD2_CTX(), CC_MD2_Init, CC_MD2_Update, CC_MD2_Final)
        check(CC_MD4_CTX(), CC_MD4_Init, CC_MD4_Update, CC_MD4_Final)
        check(CC_MD5_CTX(), CC_MD5_Init, CC_MD5_Update, CC_MD5_Final)
        check(CC_SHA1_CTX(), CC_SHA1_Init, CC_SHA1_Update, CC_SHA1_Final)
        check(CC_SHA256_CTX(), CC_SHA224_Init, CC_SHA224_Update, CC_SHA224_Final)
        check(CC_SHA256_CTX(), CC_SHA256_Init, CC_SHA256_Update, CC_SHA256_Final)
        check(CC_SHA512_CTX(), CC_SHA384_Init, CC_SHA384_Update, CC_SHA384_Final)
        check(CC_SHA512_CTX(), CC_SHA512_Init, CC_SHA512_Update, CC_SHA512_Final)
    }

    @Test func finishedContext_holdsNothing() {
        var context = CC_SHA512_CTX()
        var result = [UInt8](repeating: 0, count: Int(CC_SHA512_DIGEST_LENGTH))
        CC_SHA512_Init(&context)
        CC_SHA512_Update(&context, "secret", 6)
        CC_SHA512_Final(&result, &context)
        #expect(withUnsafeBytes(of: &context) { $0.allSatisfy { $0 == 0 } })
    }
}
