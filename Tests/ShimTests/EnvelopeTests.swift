// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// ECIES and RSA session keys in Apple's format, made by another implementation.
@Suite struct EnvelopeTests {
    @Test func messages_ofAnotherImplementation_areDecrypted() throws {
        let text = try String(decoding: KeyVectorFiles.data("apple-envelopes.txt"), as: UTF8.self)
        var keys = [String: SecKey]()
        var algorithms = Set<String>()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let bytes = try #require(Data(base64Encoded: words.last ?? ""))
            switch words[0] {
            case "KEY": keys[words[1]] = SecKey.make(kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, bytes)
            case "RSA": keys[words[1]] = SecKey.make(kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, bytes)
            case "ECIES":
                let suffix = words[3] == "1" ? "AESGCM-KDFIV" : "AESGCM"
                for exchange in ["ECDH", "ECDHC"] {
                    let name = "algid:encrypt:ECIES:\(exchange):KDFX963:\(words[2].uppercased()):\(suffix)"
                    try check(keys[words[1]], name, bytes)
                    algorithms.insert(name)
                }
            default:
                let name = "algid:encrypt:RSA:OAEP:\(words[2].uppercased()):AESGCM"
                try check(keys[words[1]], name, bytes)
                algorithms.insert(name)
            }
        }
        #expect(algorithms.count == 23)
    }

    private func check(_ key: SecKey?, _ name: String, _ envelope: Data) throws {
        let key = try #require(key)
        let algorithm = SecKeyAlgorithm(rawValue: name as CFString)
        #expect(SecKeyCreateDecryptedData(key, algorithm, envelope as CFData, nil) as Data? == Data("message".utf8))
        // A change of any byte is detected: key, data or tag.
        for index in [1, envelope.count / 2, envelope.count - 17, envelope.count - 1] {
            var changed = envelope
            changed[index] ^= 1
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateDecryptedData(key, algorithm, changed as CFData, &error) == nil, "\(name) \(index)")
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
        }
    }
}
