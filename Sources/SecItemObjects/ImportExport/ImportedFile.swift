// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The format and the objects of a file of keys and certificates.
struct ImportedFile {
    let format: SecExternalFormat
    let itemType: SecExternalItemType
    /// Whether the file is in PEM, in which each block names its type.
    let isPEM: Bool
    /// Live objects in the order of the file. In a PKCS #12 file, identities come before other certificates and keys.
    private(set) var objects: [AnyObject] = []

    private var budget = ImportBudget()

    /// Reads a file in PEM, DER or BER.
    ///
    /// - Throws: `errSecUnknownFormat` if the file has none of the formats, and the errors of the reader of each
    ///   format.
    init(_ file: ArraySlice<UInt8>, _ parameters: KeyFileParameters) throws(KeychainError) {
        let parts = try Self.parts(of: file)
        guard let first = parts.first else {
            throw KeychainError(errSecUnknownFormat, "the file has no block of a known format")
        }
        format =
            parts.count > 1
            ? .formatPEMSequence : first.encryptedBlock != nil ? .formatWrappedOpenSSL : first.format.external
        itemType = parts.count > 1 ? .itemTypeAggregate : first.format.itemType
        isPEM = first.isBlock
        for part in parts { try add(part, parameters) }
        guard !parameters.takesOnlyOneKey || objects.count(where: Self.isPrivateKey) <= 1 else {
            throw KeychainError(errSecMultiplePrivKeys, "the file holds more than one private key")
        }
    }

    /// A block in PEM, or a file that is not in PEM.
    private struct Part {
        let format: FileFormat
        let content: Content

        enum Content {
            case file(ArraySlice<UInt8>)
            case block(PEMBlock)
        }

        var isBlock: Bool {
            if case .block = content { true } else { false }
        }

        /// The block, if it is encrypted in OpenSSL's format from before PKCS #8.
        var encryptedBlock: PEMBlock? {
            if case .block(let block) = content, block.isEncrypted { block } else { nil }
        }

        /// Lends the bytes. The bytes of a block are wiped when nothing refers to them any more.
        func withBytes<R>(_ body: (ArraySlice<UInt8>) throws(KeychainError) -> R) throws(KeychainError) -> R {
            switch content {
            case .file(let bytes): try body(bytes)
            case .block(let block): try block.content.withBytes(body)
            }
        }
    }

    private static func parts(of file: ArraySlice<UInt8>) throws(KeychainError) -> [Part] {
        guard let blocks = try PEMBlock.all(in: file) else {
            return [Part(format: try FileFormat(ofFile: file), content: .file(file))]
        }
        var parts: [Part] = []
        for block in blocks {
            guard let format = try block.format else { continue }
            parts.append(Part(format: format, content: .block(block)))
        }
        return parts
    }

    private mutating func add(_ part: Part, _ parameters: KeyFileParameters) throws(KeychainError) {
        if let block = part.encryptedBlock {
            let passphrase = try parameters.requiredPassphrase()
            objects.append(SecKey(try block.decryptedKey(passphrase)))
            return
        }
        try part.withBytes { (bytes) throws(KeychainError) in
            try add(bytes, part.format, parameters)
        }
    }

    private mutating func add(
        _ bytes: ArraySlice<UInt8>, _ format: FileFormat, _ parameters: KeyFileParameters
    ) throws(KeychainError) {
        switch format {
        case .certificate: objects.append(try SecCertificate(ofFile: Self.whole(bytes).encoding))
        case .key(let form): objects.append(SecKey(try form.key(Self.whole(bytes))))
        case .encryptedKey:
            let key = try EncryptedKey(Self.whole(bytes))
            objects.append(SecKey(try key.key(parameters.requiredPassphrase(), &budget)))
        case .certificateList: objects += try CertificateList.certificates(in: Self.whole(bytes))
        case .pkcs12: try addPKCS12(bytes, parameters.requiredPassphrase())
        }
    }

    private mutating func addPKCS12(
        _ bytes: ArraySlice<UInt8>, _ passphrase: Passphrase
    ) throws(KeychainError) {
        let file = try PKCS12File(bytes)
        let bags: PKCS12Bags
        do throws(KeychainError) {
            bags = try file.bags(passphrase, &budget)
        } catch  where error.status == errSecAuthFailed {
            // The Mac's function returns this status.
            throw KeychainError(errSecPkcs12VerifyFailure, error.message, underlying: error)
        }
        let identities = bags.identities.map(\.identity)
        var known = Set(identities.map(\.certificate))
        objects += identities
        objects += bags.certificates.map(\.content).filter { known.insert($0).inserted }
        objects += bags.loneKeys
    }

    /// Reads a value that fills the bytes.
    ///
    /// - Throws: `errSecDecode` if bytes follow the value.
    private static func whole(_ bytes: ArraySlice<UInt8>) throws(KeychainError) -> BERValue {
        var reader = BERReader(bytes)
        let value = try reader.next()
        guard reader.isAtEnd else { throw .notDecodable("something comes after the end") }
        return value
    }

    private static func isPrivateKey(_ object: AnyObject) -> Bool {
        object is SecIdentity || (object as? SecKey)?.material.isPrivate == true
    }
}

extension FileFormat {
    /// - Throws: `errSecUnknownFormat` if the file is not BER.
    fileprivate init(ofFile file: ArraySlice<UInt8>) throws(KeychainError) {
        do throws(KeychainError) {
            var reader = BERReader(file)
            try self.init(reader.next())
        } catch {
            throw KeychainError(errSecUnknownFormat, "the format of the file is unknown", underlying: error)
        }
    }
}

extension PEMBlock {
    /// The format, or nil for a block with neither a key nor certificates, such as curve parameters.
    ///
    /// - Throws: `errSecUnsupportedKeyFormat` for other types of key.
    fileprivate var format: FileFormat? {
        get throws(KeychainError) {
            switch label {
            case "CERTIFICATE", "X509 CERTIFICATE": return .certificate
            case "RSA PRIVATE KEY", "EC PRIVATE KEY": return .key(.traditional)
            case "PRIVATE KEY": return .key(.privateKeyInfo)
            case "ENCRYPTED PRIVATE KEY": return .encryptedKey
            case "PUBLIC KEY": return .key(.publicKeyInfo)
            case "RSA PUBLIC KEY": return .key(.rsaPublicKey)
            case "PKCS7", "CMS": return .certificateList
            case "PKCS12": return .pkcs12
            case let other where other.hasSuffix("KEY"):
                throw KeychainError(errSecUnsupportedKeyFormat, "the file has a key of a kind that is not supported")
            case "TRUSTED CERTIFICATE":
                throw .unimplemented("certificates with OpenSSL's trust settings are not read")
            default: return nil
            }
        }
    }

    /// Whether the block is encrypted in OpenSSL's format from before PKCS #8.
    fileprivate var isEncrypted: Bool { headers.contains("ENCRYPTED") }
}
