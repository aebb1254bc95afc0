// SPDX-License-Identifier: Apache-2.0

import CommonCrypto.CommonCryptor
import CommonCrypto.CommonDigest
import CommonCrypto.CommonHMAC
import CommonCrypto.CommonKeyDerivation
import CommonCrypto.CommonSymmetricKeywrap
import CommonCrypto.Error
import CommonCrypto.Random
import Testing

/// Imports the submodules of single headers, as Apple's module map names them, instead of the whole module.
@Suite struct SubmoduleTests {
    @Test func partsOfTheModule_haveTheirNames() {
        var bytes = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        #expect(CCRandomGenerateBytes(&bytes, bytes.count) == kCCSuccess)
        var code = bytes
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), bytes, bytes.count, bytes, bytes.count, &code)
        #expect(code != bytes)
        #expect(CCSymmetricWrappedSize(CCWrappingAlgorithm(kCCWRAPAES), bytes.count) == bytes.count + 8)
        #expect(CCCalibratePBKDF(99, 1, 1, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), 32, 1) != 0)
        let unknown = CCCryptorCreate(CCOperation(kCCEncrypt), 99, 0, bytes, bytes.count, nil, nil)
        #expect(unknown == kCCParamError || unknown == kCCUnimplemented)
    }
}
