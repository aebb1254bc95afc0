// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Apple's constants: all of them, with Apple's names and values. `Scripts/make-constants --check` compares the Swift that
/// is compiled with the table.
@Suite struct ConstantTests {
    @Test func everyConstant_isNamedOnce() {
        #expect(ConstantTable.all.count == 591)
        #expect(Set(ConstantTable.all.map(\.name)).count == ConstantTable.all.count)
    }

    /// What a client's compiler sees, for some of each kind.
    @Test func constants_haveApplesValues() {
        let seen = [
            (kSecClass, "class"), (kSecClassGenericPassword, "genp"), (kSecAttrAccount, "acct"),
            (kSecAttrService, "svce"), (kSecAttrAccessGroup, "agrp"), (kSecAttrAccessibleWhenUnlocked, "ak"),
            (kSecAttrKeyTypeRSA, "42"), (kSecAttrProtocolHTTPS, "htps"), (kSecMatchLimitAll, "m_LimitAll"),
            (kSecReturnData, "r_Data"), (kSecUseDataProtectionKeychain, "nleg"), (kSecValueData, "v_Data"),
        ]
        let values = Set(ConstantTable.all.map(\.value))
        for (constant, value) in seen { #expect(constant as String == value && values.contains(value)) }
        #expect(SecKeyAlgorithm.rsaSignatureRaw.rawValue as String == "algid:sign:RSA:raw")
        #expect(SecTrustResultType.unspecified.rawValue == 4)
        #expect(SecAccessControlCreateFlags.applicationPassword.rawValue == 1 << 31)
    }

    @Test func enums_areMadeOfKnownRawValuesOnly() {
        #expect(SecTrustResultType(rawValue: 1) == .proceed)
        #expect(SecTrustResultType(rawValue: 8) == nil)
        #expect(SecExternalFormat(rawValue: 14) == .formatSSHv2)
        // One number has several names.
        #expect(SecKeySizes.secAES192 == .sec3DES192)
        #expect(SecKeySizes.secp256r1 == .secAES256)
    }

    @Test func optionSets_combine() {
        let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
        #expect(flags.rawValue == 2 | 16 | 16384)
        #expect(SecAccessControlCreateFlags(rawValue: CFOptionFlags(1)) == .userPresence)
        #expect(SecAccessControlCreateFlags.touchIDAny == .biometryAny)
        #expect(SecKeyUsage.nonRepudiation == .contentCommitment)
    }

    @Test func algorithm_ofAnyString_isKept() {
        let algorithm = SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw" as CFString)
        #expect(algorithm == .rsaSignatureRaw)
        #expect([algorithm: 1][.rsaSignatureRaw] == 1)
        #expect(SecKeyAlgorithm(rawValue: "other") != .rsaSignatureRaw)
    }
}
