// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Live objects to write to a file.
struct ExportedItems {
    private let objects: [AnyObject]
    private let format: SecExternalFormat

    /// - Parameter format: `formatUnknown` for the usual format of these objects.
    /// - Throws: `errSecParam` unless the value is a certificate, key or identity, or a non-empty array of them.
    init(_ value: CFTypeRef, _ format: SecExternalFormat) throws(KeychainError) {
        objects = (value as? NSArray)?.callerElements.map { $0 ?? NSNull() } ?? [value]
        let isKnown = objects.allSatisfy { $0 is SecCertificate || $0 is SecKey || $0 is SecIdentity }
        guard isKnown, !objects.isEmpty else {
            throw .param("the object to export is not a key, certificate or identity")
        }
        self.format = format == .formatUnknown ? Self.usualFormat(of: objects) : format
    }

    /// The format that Apple's function uses by default. It is PEM for several items.
    private static func usualFormat(of objects: [AnyObject]) -> SecExternalFormat {
        guard objects.count == 1 else { return .formatPEMSequence }
        return switch objects[0] {
        case is SecCertificate: .formatX509Cert
        case is SecKey: .formatOpenSSL
        default: .formatPEMSequence
        }
    }

    /// The file with the objects.
    ///
    /// - Throws: `errSecUnsupportedFormat` if the format cannot hold the items.
    ///   `errSecKeyIsSensitive` for a key that must not be exported. `errSecPassphraseRequired` if the format needs a
    ///   passphrase and there is none. `errSecParam` for a passphrase that the format would not use to protect the key.
    ///   `errSecUnimplemented` for a format that is not supported.
    func file(isArmoured: Bool, _ parameters: KeyFileParameters) throws(KeychainError) -> CFData {
        guard format.isThere, format != .formatWrappedOpenSSL else {
            throw .unimplemented("this format cannot be written")
        }
        var bytes = try self.bytes(isArmoured: isArmoured, parameters)
        defer { bytes.wipe() }
        return bytes.withUnsafeBytes { ResultData(copying: $0) }
    }

    private func bytes(isArmoured: Bool, _ parameters: KeyFileParameters) throws(KeychainError) -> [UInt8] {
        if format == .formatPEMSequence { return try sequence(parameters) }
        var (label, bytes) = try content(parameters)
        guard isArmoured else { return bytes }
        defer { bytes.wipe() }
        return PEMBlock.text(label, bytes)
    }

    private func content(_ parameters: KeyFileParameters) throws(KeychainError) -> (label: String, bytes: [UInt8]) {
        switch format {
        case .formatPKCS12:
            let entries = try entries()
            return (FileFormat.pkcs12.label, try PKCS12File.bytes(of: entries, parameters.requiredPassphrase()))
        case .formatPKCS7:
            let certificates = objects.compactMap { $0 as? SecCertificate }
            guard certificates.count == objects.count else { throw Self.unsupported }
            return (FileFormat.certificateList.label, try CertificateList.bytes(of: certificates))
        case .formatX509Cert:
            guard objects.count == 1, let certificate = objects[0] as? SecCertificate else { throw Self.unsupported }
            return (FileFormat.certificate.label, Array(certificate.bytes))
        default:
            guard objects.count == 1, let key = objects[0] as? SecKey else { throw Self.unsupported }
            return try block(key, format, parameters)
        }
    }

    // MARK: - PEM

    private func sequence(_ parameters: KeyFileParameters) throws(KeychainError) -> [UInt8] {
        var texts: [[UInt8]] = []
        defer { for index in texts.indices { texts[index].wipe() } }
        for object in objects {
            switch object {
            case let certificate as SecCertificate: texts.append(Self.text(certificate))
            case let key as SecKey: texts.append(try text(key, parameters))
            case let identity as SecIdentity:
                texts.append(Self.text(identity.certificate))
                texts.append(try text(identity.privateKey, parameters))
            default: throw Self.unsupported
            }
        }
        // The capacity is reserved, because an array that grows leaves copies behind.
        var all: [UInt8] = []
        all.reserveCapacity(texts.reduce(0) { $0 + $1.count })
        for text in texts { all += text }
        return all
    }

    private static func text(_ certificate: SecCertificate) -> [UInt8] {
        PEMBlock.text(FileFormat.certificate.label, Array(certificate.bytes))
    }

    private func text(_ key: SecKey, _ parameters: KeyFileParameters) throws(KeychainError) -> [UInt8] {
        let isEncrypted = key.material.isPrivate && parameters.isProtected
        var (label, bytes) = try block(key, isEncrypted ? .formatWrappedPKCS8 : .formatOpenSSL, parameters)
        defer { bytes.wipe() }
        return PEMBlock.text(label, bytes)
    }

    // MARK: - Keys

    private func block(
        _ key: SecKey, _ format: SecExternalFormat, _ parameters: KeyFileParameters
    ) throws(KeychainError) -> (label: String, bytes: [UInt8]) {
        let material = key.material
        if format == .formatWrappedPKCS8 {
            let passphrase = try parameters.requiredPassphrase()
            return (FileFormat.encryptedKey.label, try EncryptedKey.bytes(of: key, passphrase))
        }
        guard !material.isPrivate || !parameters.isProtected else {
            throw .param("a passphrase was given, but the format does not encrypt keys")
        }
        let form: KeyFormat =
            switch (format, material.isPrivate) {
            case (.formatOpenSSL, true): .traditional
            case (.formatOpenSSL, false): .publicKeyInfo
            case (.formatBSAFE, true): .privateKeyInfo
            case (.formatBSAFE, false): .rsaPublicKey
            default: throw Self.unsupported
            }
        let isCurve = form == .traditional && material.type == .ellipticCurve
        let label = isCurve ? "EC PRIVATE KEY" : FileFormat.key(form).label
        return (
            label, try key.withBytesToExport { (bytes) throws(KeychainError) in try form.bytes(of: material, bytes) }
        )
    }

    // MARK: - PKCS #12

    /// Each certificate and each key once.
    private func entries() throws(KeychainError) -> [PKCS12File.Entry] {
        var entries: [PKCS12File.Entry] = []
        var known: Set<SecCertificate> = []
        var knownKeys: Set<Data> = []
        for case let identity as SecIdentity in objects {
            let identifier = identity.privateKey.material.publicKeyHash
            let (certificate, key) = (identity.certificate, identity.privateKey)
            let name = certificate.parts.summary
            if known.insert(certificate).inserted {
                entries.append(.init(content: .certificate(certificate), name: name, identifier: identifier))
            }
            if knownKeys.insert(identifier).inserted {
                entries.append(.init(content: .key(key), name: key.name ?? name, identifier: identifier))
            }
        }
        for object in objects {
            switch object {
            case let certificate as SecCertificate where known.insert(certificate).inserted:
                entries.append(.init(content: .certificate(certificate), name: nil, identifier: nil))
            case let key as SecKey:
                guard key.material.isPrivate else { throw Self.unsupported }
                let identifier = key.material.publicKeyHash
                guard knownKeys.insert(identifier).inserted else { continue }
                entries.append(.init(content: .key(key), name: key.name, identifier: identifier))
            default: break
            }
        }
        return entries
    }

    private static let unsupported = KeychainError(errSecUnsupportedFormat, "the format does not hold these items")
}
