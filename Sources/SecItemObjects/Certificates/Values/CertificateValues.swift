// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The result of `SecCertificateCopyValues`: entries by object identifier, or by label if there is no identifier.
///
/// Keys, labels and texts are those of Apple's published source.
struct CertificateValues {
    private(set) var entries: [String: CertificateEntry] = [:]

    /// - Parameter now: The date that decides whether the certificate is valid, expired or not valid yet.
    /// - Throws: `errSecDataTooLarge` for too many entries, `errSecDecode` if the certificate cannot be parsed.
    init(_ certificate: SecCertificate, at now: Date = Date()) throws(KeychainError) {
        let fields = try CertificateFields(certificate.bytes)
        addNames(certificate.parts)
        addUses(fields)
        var list = EntryList(EntryList.Budget())
        try list.addFields(fields)
        for found in fields.extensions { try list.addExtension(found) }
        try list.addFingerprints(certificate.bytes)
        for entry in list.entries { add(entry) }
        if let validity = fields.validity { addEnd(validity, now) }
    }

    /// The fields that have an identifier: Apple's label and the identifier.
    private static let identifiers: [String: String] = [
        "Subject Name": kSecOIDX509V1SubjectName as String,
        "Issuer Name": kSecOIDX509V1IssuerName as String,
        "Version": kSecOIDX509V1Version as String,
        "Serial Number": kSecOIDX509V1SerialNumber as String,
        "Signature Algorithm": kSecOIDX509V1SignatureAlgorithm as String,
        "Subject Unique ID": kSecOIDX509V1CertificateSubjectUniqueId as String,
        "Issuer Unique ID": kSecOIDX509V1CertificateIssuerUniqueId as String,
        "Public Key Algorithm": kSecOIDX509V1SubjectPublicKeyAlgorithm as String,
        "Public Key Data": kSecOIDX509V1SubjectPublicKey as String,
        "Signature": kSecOIDX509V1Signature as String,
        "Not Valid Before": kSecOIDX509V1ValidityNotBefore as String,
        "Not Valid After": kSecOIDX509V1ValidityNotAfter as String,
        "Expires": kSecOIDInvalidityDate as String,
    ]

    /// Adds an entry under its identifier, or else its label. An existing entry stays: of two extensions, the first
    /// counts.
    private mutating func add(_ entry: CertificateEntry) {
        guard let label = entry.label else { return }
        add(Self.identifiers[label] ?? label, entry)
    }

    private mutating func add(_ key: String, _ entry: CertificateEntry) {
        if entries[key] == nil { entries[key] = entry }
    }

    private mutating func add(_ key: CFString, _ label: String, _ value: CertificateEntry.Value) {
        add(key as String, CertificateEntry(label: label, value: value))
    }

    // MARK: - What is gathered from several fields

    private mutating func addNames(_ parts: CertificateParts) {
        let lists: [(CFString, String, [String])] = [
            (kSecOIDCommonName, "CN", parts.subject.all(.commonName)), ("DNSNAMES", "DNS", parts.dnsNames),
            ("IPADDRESSES", "IP", parts.alternativeNames.addresses),
            (kSecOIDEmailAddress, "Email Address", parts.emailAddresses),
        ]
        for (key, label, names) in lists where !names.isEmpty { add(key, label, .array(names)) }
    }

    private mutating func addUses(_ fields: CertificateFields) {
        if let (start, end) = fields.validity {
            for (label, date) in [("Not Valid Before", start), ("Not Valid After", end)] {
                let number = NSNumber(value: date.timeIntervalSinceReferenceDate)
                add(CertificateEntry(label: label, value: .number(number)))
            }
        }
        let usage = SecKeyUsage(fields.extensions)
        add(kSecOIDKeyUsage, "Key Usage", .number(NSNumber(value: Int32(bitPattern: usage.rawValue))))
        if let purposes = fields.purposes {
            add(kSecOIDExtendedKeyUsage, "Extended Key Usage", .array(purposes.map { NSData(data: Data($0)) }))
        }
    }

    private mutating func addEnd(_ validity: (start: Date, end: Date), _ now: Date) {
        let (label, date) =
            now > validity.end
            ? ("Expired", validity.end)
            : now < validity.start ? ("Valid from", validity.start) : ("Expires", validity.end)
        add(CertificateEntry(label: label, value: .date(date)))
    }
}

extension EntryList {
    fileprivate mutating func addFields(_ fields: CertificateFields) throws(KeychainError) {
        for (label, content) in [("Subject Name", fields.subject), ("Issuer Name", fields.issuer)] {
            var name = section
            try name.addName(content)
            try addSection(label, name)
        }
        try add("Version", String(fields.version))
        try add("Serial Number", DERText.integer(fields.serialNumber))
        try add("Signature Algorithm", fields.algorithm)
        if let identifier = fields.subjectIdentifier { try addData("Subject Unique ID", identifier) }
        if let identifier = fields.issuerIdentifier { try addData("Issuer Unique ID", identifier) }
        try add("Public Key Algorithm", fields.keyAlgorithm)
        try addData("Public Key Data", fields.key)
        try addData("Signature", fields.signature)
    }

    private mutating func add(_ label: String, _ algorithm: CertificateFields.Algorithm) throws(KeychainError) {
        var list = section
        try list.add("Algorithm", DERText.identifier(algorithm.identifier))
        if let parameters = algorithm.parameters {
            if parameters.tag == BERTag.null, parameters.content.isEmpty {
                try list.add("Parameters", "none")
            } else {
                try list.addUnparsed("Parameters", parameters.encoding)
            }
        }
        try addSection(label, list)
    }

    fileprivate mutating func addFingerprints(_ bytes: Data) throws(KeychainError) {
        var list = section
        try list.add("SHA-256", .data(Data(SHA256.hash(data: bytes))))
        try list.add("SHA-1", .data(Data(Insecure.SHA1.hash(data: bytes))))
        try addSection("Fingerprints", list)
    }
}

extension SecKeyUsage {
    /// The content of the extension; empty if it is missing or damaged.
    fileprivate init(_ extensions: [CertificateFields.Extension]) {
        var bits: UInt32 = 0
        for found in extensions where DERText.identifier(found.identifier) == kSecOIDKeyUsage as String {
            var reader = BERReader(found.value, isDistinguished: true)
            let flags = try? reader.next(BERTag.bitString).content.flags()
            bits = 0
            guard let flags, reader.isAtEnd else { continue }
            if found.isCritical { bits = SecKeyUsage.critical.rawValue }
            for (index, isSet) in flags.enumerated() where isSet { bits |= 1 << UInt32(index) }
        }
        self.init(rawValue: bits)
    }
}

extension CertificateFields {
    /// The encoded identifiers of the key's purposes; nil if the extension is missing or damaged.
    fileprivate var purposes: [ArraySlice<UInt8>]? {
        let isOfPurposes = { DERText.identifier($0) == kSecOIDExtendedKeyUsage as String }
        guard let found = extensions.first(where: { isOfPurposes($0.identifier) }) else { return nil }
        var reader = BERReader(found.value, isDistinguished: true)
        guard var parts = try? reader.next(BERTag.sequence).parts else { return nil }
        var purposes: [ArraySlice<UInt8>] = []
        while !parts.isAtEnd {
            // The number that Apple reads.
            guard purposes.count < 8192, let purpose = try? parts.next(BERTag.identifier).content else { return nil }
            purposes.append(purpose)
        }
        return purposes
    }
}
