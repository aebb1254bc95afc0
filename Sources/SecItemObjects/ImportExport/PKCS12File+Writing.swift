// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

extension PKCS12File {
    /// A certificate or private key to write, with its attributes in the file.
    struct Entry {
        enum Content {
            case certificate(SecCertificate)
            case key(SecKey)
        }

        let content: Content
        let name: String?
        let identifier: Data?
    }

    /// Writes a file. One part encrypts all certificates, and each key is encrypted by itself. The file uses PBES2 with
    /// AES-256, and an authentication code with SHA-256.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL, and as ``EncryptedKey/bytes(of:_:)``.
    static func bytes(of entries: [Entry], _ passphrase: Passphrase) throws(KeychainError) -> [UInt8] {
        let safes = [try encryptedCertificates(entries, passphrase), try keys(entries, passphrase)]
        let content = try derBytes { serializer in
            try serializer.sequence { serializer in
                for safe in safes { if let safe { serializer.serializeRawBytes(safe) } }
            }
        }
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(3)
                serializer.serializeRawBytes(try plain(content))
                try PKCS12MAC.serialize(for: content, passphrase, into: &serializer)
            }
        }
    }

    private static func encryptedCertificates(
        _ entries: [Entry], _ passphrase: Passphrase
    ) throws(KeychainError) -> [UInt8]? {
        let certificates = entries.compactMap { entry in
            if case .certificate(let certificate) = entry.content { (entry, certificate) } else { nil }
        }
        if certificates.isEmpty { return nil }
        let bags = try derBytes { serializer in
            try serializer.sequence { serializer in
                for (entry, certificate) in certificates {
                    try serializer.bag(.certificateBag, entry) { serializer in
                        try serializer.sequence { serializer in
                            try serializer.serialize(ASN1ObjectIdentifier.x509Certificate)
                            try serializer.tagged(0) { $0.octets(certificate.bytes) }
                        }
                    }
                }
            }
        }
        let cipher = try PassphraseCipher.new()
        let ciphertext = try cipher.encrypted(bags, passphrase)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(ASN1ObjectIdentifier.encryptedData)
                try serializer.tagged(0) { serializer in
                    try serializer.sequence { serializer in
                        try serializer.serialize(0)
                        try serializer.sequence { serializer in
                            try serializer.serialize(ASN1ObjectIdentifier.plainData)
                            cipher.serialize(into: &serializer)
                            serializer.appendPrimitiveNode(
                                identifier: .init(tagWithNumber: 0, tagClass: .contextSpecific)
                            ) { $0.append(contentsOf: ciphertext) }
                        }
                    }
                }
            }
        }
    }

    private static func keys(_ entries: [Entry], _ passphrase: Passphrase) throws(KeychainError) -> [UInt8]? {
        let keys = entries.compactMap { entry in
            if case .key(let key) = entry.content { (entry, key) } else { nil }
        }
        if keys.isEmpty { return nil }
        let bags = try derBytes { serializer in
            try serializer.sequence { serializer in
                for (entry, key) in keys {
                    let encrypted = try EncryptedKey.bytes(of: key, passphrase)
                    try serializer.bag(.encryptedKeyBag, entry) { $0.serializeRawBytes(encrypted) }
                }
            }
        }
        return try plain(bags)
    }

    /// Writes a PKCS #7 value that is neither signed nor encrypted.
    private static func plain(_ content: [UInt8]) throws(KeychainError) -> [UInt8] {
        try derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.serialize(ASN1ObjectIdentifier.plainData)
                try serializer.tagged(0) { $0.octets(content) }
            }
        }
    }
}

extension EncryptedKey {
    /// Encrypts a key.
    ///
    /// - Throws: `errSecKeyIsSensitive` for a key that does not leave, `errSecUnsupportedFormat` for a public one,
    ///   `errSecUnimplemented` without OpenSSL.
    static func bytes(of key: SecKey, _ passphrase: Passphrase) throws(KeychainError) -> [UInt8] {
        var info = try key.withBytesToExport { (bytes) throws(KeychainError) in
            try KeyFormat.privateKeyInfo.bytes(of: key.material, bytes)
        }
        defer { info.wipe() }
        let cipher = try PassphraseCipher.new()
        let ciphertext = try cipher.encrypted(info, passphrase)
        return try derBytes { serializer in
            try serializer.sequence { serializer in
                cipher.serialize(into: &serializer)
                serializer.octets(ciphertext)
            }
        }
    }
}

extension DER.Serializer {
    fileprivate mutating func bag(
        _ kind: ASN1ObjectIdentifier, _ entry: PKCS12File.Entry, _ content: (inout DER.Serializer) throws -> Void
    ) throws {
        try sequence { serializer in
            try serializer.serialize(kind)
            try serializer.tagged(0, content)
            if entry.name == nil, entry.identifier == nil { return }
            try serializer.set { serializer in
                if let name = entry.name {
                    let text = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
                    try serializer.attribute(.friendlyName) { serializer in
                        serializer.appendPrimitiveNode(identifier: .bmpString) { $0.append(contentsOf: text) }
                    }
                }
                if let identifier = entry.identifier {
                    try serializer.attribute(.localKeyIdentifier) { $0.octets(identifier) }
                }
            }
        }
    }

    private mutating func attribute(
        _ kind: ASN1ObjectIdentifier, _ value: (inout DER.Serializer) throws -> Void
    ) throws {
        try sequence { serializer in
            try serializer.serialize(kind)
            try serializer.set(value)
        }
    }
}
