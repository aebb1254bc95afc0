// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import Testing

@testable import SecItemGnome

/// The form of a secret on the service.
@Suite struct WrittenSecretTests {
    private static let forms: [(secret: String, isEncoded: Bool)] = [
        ("", false), ("plain", false), ("two words ", false), ("a\tb", false), ("a\rb", false), ("\u{B}a", false),
        ("[1]", false), ("a=b", false), ("#a", false), ("\u{FEFF}", false), ("\u{A0}a", false),
        ("secitem.text:", false),
        // It is not text, so gnome-keyring writes it in hexadecimal.
        ("a\0\n\\", false),
        ("a\nb", true), ("a\n", true), ("\n", true), (" a", true), (" ", true), ("\ta", true), ("\ra", true),
        ("\u{C}a", true), ("a\r", true), ("a\\b", true), ("\\", true), ("secitem.base64:", true),
        ("secitem.base64:YQ==", true), ("secitem.base64:\0", true),
    ]

    @Test(arguments: forms.indices) func secret_isEncodedOnlyWhereItMustBe(_ index: Int) {
        let (text, isEncoded) = Self.forms[index]
        let secret = Secret(Data(text.utf8))
        let form = isEncoded ? "secitem.base64:" + Data(text.utf8).base64EncodedString() : text
        #expect(secret.written.data() == Data(form.utf8))
        #expect(secret.writtenCount == form.utf8.count)
        #expect(secret.written.read.data() == Data(text.utf8))
        let record = ItemRecord.password("s", "a", text)
        #expect(record.ownAttributes()[SecretSchema.encodingName] == (isEncoded ? "base64" : nil))
    }

    @Test func bytesThatAreNotText_stayAsTheyAre() {
        for bytes: [UInt8] in [[0xFF, 0x0A], [0x0A, 0xC3], [0x20, 0x5C, 0xED, 0xA0, 0x80]] {
            #expect(Secret(Data(bytes)).written.data() == Data(bytes))
        }
    }

    @Test func everySecret_comesBack() {
        var random = SeededGenerator()
        let bytes = Array("\n\r\t \\a[=\0\u{C}s".utf8) + [0xFF]
        for _ in RandomRounds.usually(2000) {
            let count = Int.random(in: 0...40, using: &random)
            var data = Data((0..<count).map { _ in bytes.randomElement(using: &random) ?? 0 })
            if Int.random(in: 0..<10, using: &random) == 0 { data = Data("secitem.base64:".utf8) + data }
            let secret = Secret(data), written = secret.written
            #expect(written.read.data() == data)
            #expect(written.count == secret.writtenCount)
            #expect(!written.needsEncoding || written.data().starts(with: Data("secitem.base64:".utf8)))
        }
    }

    /// Another program may have written such a secret to an item of ours.
    @Test func markerWithoutBase64_isReadAsItIs() {
        for text in ["secitem.base64:?", "secitem.base64:YQ=", "secitem.base64:YQ==\n"] {
            #expect(Secret(Data(text.utf8)).read.data() == Data(text.utf8))
        }
    }
}
