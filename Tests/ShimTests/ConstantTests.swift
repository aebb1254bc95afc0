import Foundation
import Security
import Testing

/// Apple's constants: all of them, spelt and valued as Apple does.
@Suite struct ConstantTests {
    /// `constants.csv`: the names in C and the values, one to a line, no value with a comma.
    static let expected: [String: String] = {
        guard let url = Bundle.module.url(forResource: "Resources/constants", withExtension: "csv"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [:] }
        let rows = text.split(separator: "\n").dropFirst().map { $0.split(separator: ",", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0[0]), String($0[1])) })
    }()

    @Test func table_namesEveryConstantOnce() {
        #expect(Self.expected.count == 591)
        #expect(ConstantTable.all.count == Self.expected.count)
        #expect(Set(ConstantTable.all.map(\.name)) == Set(Self.expected.keys))
    }

    @Test func everyConstant_hasApplesValue() {
        for (name, value) in ConstantTable.all {
            #expect(value == Self.expected[name], "\(name)")
        }
    }

    @Test func enums_areMadeOfKnownRawValuesOnly() {
        #expect(SecTrustResultType(rawValue: 1) == .proceed)
        #expect(SecTrustResultType(rawValue: 8) == nil)
        #expect(SecExternalFormat(rawValue: 14) == .formatSSHv2)
        // One number, several names.
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
