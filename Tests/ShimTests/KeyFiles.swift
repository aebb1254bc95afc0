// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

/// Files of keys and certificates that the program `openssl` writes and reads.
struct KeyFiles {
    private let folder: TemporaryFolder
    let certificates: TrustCertificates

    init() throws {
        folder = try TemporaryFolder()
        certificates = try TrustCertificates()
    }

    func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: path(name))) }

    /// Runs `openssl`. A word that begins with `@` is a file in the folder, a word with `%` is the file of a
    /// certificate.
    @discardableResult
    func openssl(_ words: String, _ more: [String] = []) throws -> String {
        let arguments = words.split(separator: " ").map { word in
            switch word.first {
            case "@": path(String(word.dropFirst()))
            case "%": certificates.path(String(word.dropFirst()))
            default: String(word)
            }
        }
        return try Program("openssl", arguments + more).output()
    }

    /// Certificates "root", "middle" and "leaf", each issued by the one before it.
    func makeChain(key: [String]? = nil) throws -> [SecCertificate] {
        let root = try certificates.make("root", TrustCertificates.authority)
        let middle = try certificates.make("middle", by: "root", TrustCertificates.authority)
        let leaf = try certificates.make("leaf", by: "middle", key: key, TrustCertificates.server)
        try (Data(contentsOf: certificates.url("root.pem")) + Data(contentsOf: certificates.url("middle.pem")))
            .write(to: certificates.url("others.pem"))
        return [leaf, middle, root]
    }

    /// A PKCS #12 file with "leaf", its key and its chain.
    func pkcs12(_ options: String = "", passphrase: String = "secret", name: String = "Anna’s clé") throws -> Data {
        try openssl(
            "pkcs12 -export -inkey %leaf.key -in %leaf.pem -certfile %others.pem -out @file.p12 \(options)",
            ["-name", name, "-passout", "pass:" + passphrase])
        return try read("file.p12")
    }
}

/// An item in the result of `SecPKCS12Import`.
struct ImportedItem {
    let label: String?
    let keyIdentifier: Data?
    let chain: [SecCertificate]?
    let trust: SecTrust?
    let identity: SecIdentity

    var certificate: SecCertificate? {
        var certificate: SecCertificate?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        return certificate
    }

    var key: SecKey? {
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        return key
    }

    private init(_ item: [String: Any]) throws {
        label = item[kSecImportItemLabel as String] as? String
        keyIdentifier = item[kSecImportItemKeyID as String] as? Data
        chain = item[kSecImportItemCertChain as String] as? [SecCertificate]
        trust = item[kSecImportItemTrust as String] as? SecTrust
        identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
    }

    static func all(_ file: Data, _ passphrase: Any? = "secret") throws -> [ImportedItem] {
        var items: CFArray?
        let options: [CFString: Any] = passphrase.map { [kSecImportExportPassphrase: $0] } ?? [:]
        let status = SecPKCS12Import(file as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else { throw ImportFailure(status: status) }
        return try #require(items as? [[String: Any]]).map(ImportedItem.init)
    }

    static func one(_ file: Data, _ passphrase: Any? = "secret") throws -> ImportedItem {
        let items = try all(file, passphrase)
        #expect(items.count == 1)
        return try #require(items.first)
    }

    static func status(_ file: Data, _ passphrase: Any? = "secret") -> OSStatus {
        do {
            _ = try all(file, passphrase)
            return errSecSuccess
        } catch {
            return (error as? ImportFailure)?.status ?? errSecInternalError
        }
    }
}

struct ImportFailure: Error {
    let status: OSStatus
}

extension SecKey {
    var bytes: Data? { SecKeyCopyExternalRepresentation(self, nil) as Data? }

    /// Whether the key and the certificate's key are a pair.
    func belongs(to certificate: SecCertificate) -> Bool {
        guard let publicKey = SecCertificateCopyKey(certificate), let own = SecKeyCopyPublicKey(self) else {
            return false
        }
        return publicKey == own
    }
}

/// The result of `SecItemImport` for a file.
struct ReadFile {
    let objects: [AnyObject]
    let format: SecExternalFormat
    let type: SecExternalItemType

    init(
        _ file: Data, _ passphrase: String? = nil, format: SecExternalFormat = .formatUnknown,
        type: SecExternalItemType = .itemTypeUnknown, flags: SecKeyImportExportFlags = []
    ) throws {
        var (format, type) = (format, type)
        var items: CFArray?
        var parameters = SecItemImportExportKeyParameters()
        parameters.flags = flags
        let text = passphrase.map { NSString(string: $0) }
        parameters.passphrase = text.map { Unmanaged.passUnretained($0) }
        let status = withExtendedLifetime(text) {
            SecItemImport(file as CFData, nil, &format, &type, [], &parameters, nil, &items)
        }
        guard status == errSecSuccess else { throw ImportFailure(status: status) }
        objects = try #require(items).map { $0 as AnyObject }
        self.format = format
        self.type = type
    }

    static func status(
        _ file: Data, _ passphrase: String? = nil, format: SecExternalFormat = .formatUnknown,
        type: SecExternalItemType = .itemTypeUnknown, flags: SecKeyImportExportFlags = []
    ) -> OSStatus {
        do {
            _ = try ReadFile(file, passphrase, format: format, type: type, flags: flags)
            return errSecSuccess
        } catch {
            return (error as? ImportFailure)?.status ?? errSecInternalError
        }
    }

    var keys: [SecKey] { objects.compactMap { $0 as? SecKey } }
    var certificates: [SecCertificate] { objects.compactMap { $0 as? SecCertificate } }
    var identities: [SecIdentity] { objects.compactMap { $0 as? SecIdentity } }
}

/// The file that `SecItemExport` writes.
func exported(
    _ items: Any, _ format: SecExternalFormat, _ passphrase: String? = nil, flags: SecItemImportExportFlags = [],
    keyFlags: SecKeyImportExportFlags = []
) throws -> Data {
    var parameters = SecItemImportExportKeyParameters()
    parameters.flags = keyFlags
    let text = passphrase.map { NSString(string: $0) }
    parameters.passphrase = text.map { Unmanaged.passUnretained($0) }
    var data: CFData?
    let status = withExtendedLifetime(text) { SecItemExport(items as AnyObject, format, flags, &parameters, &data) }
    guard status == errSecSuccess else { throw ImportFailure(status: status) }
    return try #require(data) as Data
}

func exportStatus(
    _ items: Any, _ format: SecExternalFormat, _ passphrase: String? = nil, keyFlags: SecKeyImportExportFlags = []
) -> OSStatus {
    do {
        _ = try exported(items, format, passphrase, keyFlags: keyFlags)
        return errSecSuccess
    } catch {
        return (error as? ImportFailure)?.status ?? errSecInternalError
    }
}
