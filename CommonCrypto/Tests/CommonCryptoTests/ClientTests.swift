// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Testing

// Uses the functions as code for Apple's platforms does. This file is compiled in both language modes.

extension Data {
    fileprivate var sha256: Data {
        var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        withUnsafeBytes {
            _ = CC_SHA256($0.baseAddress, CC_LONG(self.count), &hash)
        }
        return Data(hash)
    }

    fileprivate func crypt(operation: CCOperation, key: Data, iv: Data) throws -> Data {
        let capacity = count + kCCBlockSizeAES128
        var result = Data(count: capacity)
        var length: size_t = 0
        let status = result.withUnsafeMutableBytes { resultBytes in
            self.withUnsafeBytes { dataBytes in
                iv.withUnsafeBytes { ivBytes in
                    key.withUnsafeBytes { keyBytes -> Int32 in
                        CCCrypt(
                            operation, CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding),
                            keyBytes.baseAddress, kCCKeySizeAES256, ivBytes.baseAddress, dataBytes.baseAddress, count,
                            resultBytes.baseAddress, capacity, &length)
                    }
                }
            }
        }
        guard status == kCCSuccess else { throw NSError(domain: "crypt", code: Int(status)) }
        result.removeSubrange(length..<result.count)
        return result
    }
}

private final class StreamingHash {
    private var context = CC_SHA1_CTX()

    init() { CC_SHA1_Init(&context) }

    func update(_ data: Data) {
        data.withUnsafeBytes { _ = CC_SHA1_Update(&context, $0.baseAddress, CC_LONG(data.count)) }
    }

    func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
        CC_SHA1_Final(&digest, &context)
        return digest.map { String(format: "%02x", $0) }.joined()
    }
}

private enum KeyStretching {
    enum Failure: Error, Equatable {
        case derivation(Int32)
    }

    static let hmac = CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA512)

    static func key(password: String, salt: Data, rounds: UInt32 = 1000) throws -> Data {
        var key = Data(count: kCCKeySizeAES256)
        let status = key.withUnsafeMutableBytes { (keyBytes: UnsafeMutableRawBufferPointer) -> Int32 in
            salt.withUnsafeBytes { (saltBytes: UnsafeRawBufferPointer) -> Int32 in
                CCKeyDerivationPBKDF(
                    CCPBKDFAlgorithm(kCCPBKDF2), password, password.utf8.count,
                    saltBytes.bindMemory(to: UInt8.self).baseAddress, salt.count, hmac, rounds,
                    keyBytes.bindMemory(to: UInt8.self).baseAddress, kCCKeySizeAES256)
            }
        }
        guard status == kCCSuccess else { throw Failure.derivation(status) }
        return key
    }
}

/// Uses the names where their types matter: in comparisons, in a dictionary and as raw values.
private enum Status: CCCryptorStatus {
    case success
    case other

    static let names = [kCCSuccess: "success", kCCParamError: "param", kCCDecodeError: "decode"]

    init(raw: CCCryptorStatus) {
        self = raw == CCCryptorStatus(kCCSuccess) ? .success : .other
    }
}

@Suite struct ClientTests {
    @Test func digest_isComputed() {
        #expect(Data("abc".utf8).sha256.base64EncodedString() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        let hash = StreamingHash()
        hash.update(Data("a".utf8))
        hash.update(Data("bc".utf8))
        #expect(hash.finish() == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    @Test func whatIsSealed_isOpened() throws {
        let key = try KeyStretching.key(password: "correct horse", salt: Data("battery".utf8))
        var iv = Data(count: kCCBlockSizeAES128)
        let status = iv.withUnsafeMutableBytes { CCRandomGenerateBytes($0.baseAddress, kCCBlockSizeAES128) }
        #expect(Status(raw: status) == .success)
        let sealed = try Data("staple".utf8).crypt(operation: CCOperation(kCCEncrypt), key: key, iv: iv)
        let opened = try sealed.crypt(operation: CCOperation(kCCDecrypt), key: key, iv: iv)
        #expect(String(data: opened, encoding: .utf8) == "staple")
    }

    @Test func code_isComputedOverPieces() {
        var context = CCHmacContext()
        let key = "key"
        CCHmacInit(&context, CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.utf8.count)
        CCHmacUpdate(&context, "The quick brown fox ", 20)
        CCHmacUpdate(&context, "jumps over the lazy dog", 23)
        var code = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
        code.withUnsafeMutableBytes { CCHmacFinal(&context, $0.baseAddress) }
        #expect(code.base64EncodedString() == "97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=")
    }

    @Test func key_isWrappedAndUnwrapped() {
        let algorithm = CCWrappingAlgorithm(kCCWRAPAES)
        let kek = [UInt8](repeating: 1, count: kCCKeySizeAES128)
        let key = [UInt8](repeating: 2, count: 32)
        var length: size_t = CCSymmetricWrappedSize(algorithm, key.count)
        var wrapped = [UInt8](repeating: 0, count: length)
        let status: Int32 = CCSymmetricKeyWrap(
            algorithm, CCrfc3394_iv, CCrfc3394_ivLen, kek, kek.count, key, key.count, &wrapped, &length)
        #expect(status == kCCSuccess)
        var rawLength: size_t = CCSymmetricUnwrappedSize(algorithm, wrapped.count)
        var raw = [UInt8](repeating: 0, count: rawLength)
        let opened = CCSymmetricKeyUnwrap(
            algorithm, CCrfc3394_iv, CCrfc3394_ivLen, kek, kek.count, wrapped, wrapped.count, &raw, &rawLength)
        #expect(opened == kCCSuccess)
        #expect(raw == key)
    }

    @Test func cryptor_worksOverPieces() {
        var cryptor: CCCryptorRef?
        let created = CCCryptorCreate(
            CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES128), CCOptions(kCCOptionPKCS7Padding),
            [UInt8](repeating: 0, count: kCCKeySizeAES256), kCCKeySizeAES256, nil, &cryptor)
        #expect(created == CCCryptorStatus(kCCSuccess))
        defer { CCCryptorRelease(cryptor) }
        var buffer = Data(count: CCCryptorGetOutputLength(cryptor, 40, true))
        let size = buffer.count
        var moved = 0
        let status = buffer.withUnsafeMutableBytes {
            CCCryptorUpdate(cryptor, [UInt8](repeating: 9, count: 40), 40, $0.baseAddress, size, &moved)
        }
        #expect(Status.names[Int(status)] == "success")
        #expect(moved == 32)
    }
}
