// SPDX-License-Identifier: Apache-2.0

import Foundation

// The entries of extensions: RFC 5280, section 4.2, and RFC 3739 for qualified certificates.

extension EntryList {
    /// Adds the content of an extension. If it is damaged, adds its bytes under its name.
    ///
    /// - Returns: Whether the extension is a known one.
    private mutating func addKnown(
        _ identifier: String, _ bytes: ArraySlice<UInt8>
    ) throws(KeychainError) -> Bool {
        var label = ""
        do throws(KeychainError) {
            switch identifier as NSString {
            case kSecOIDSubjectKeyIdentifier:
                label = "Subject Key Identifier"
                try addSubjectKey(bytes)
            case kSecOIDKeyUsage:
                label = "Usage"
                try addBits("Usage", bytes, Self.keyUsages)
            case kSecOIDPrivateKeyUsagePeriod:
                label = "Private Key Usage Period"
                try addUsagePeriod(bytes)
            case kSecOIDSubjectAltName:
                label = "General Names"
                try addGeneralNames(bytes)
            case kSecOIDIssuerAltName:
                label = "General Names"
                try addGeneralNames(bytes)
            case kSecOIDBasicConstraints:
                label = "Basic Constraints"
                try addBasicConstraints(bytes)
            case kSecOIDNameConstraints:
                label = "Name Constraints"
                try addNameConstraints(bytes)
            case kSecOIDCrlDistributionPoints:
                label = "CRL Distribution Points"
                try addDistributionPoints(bytes)
            case kSecOIDCertificatePolicies:
                label = "Certificate Policies"
                try addPolicies(bytes)
            case kSecOIDAuthorityKeyIdentifier:
                label = "Authority Key Identifier"
                try addAuthorityKey(bytes)
            case kSecOIDPolicyConstraints:
                label = "Policy Constraints"
                try addPolicyConstraints(bytes)
            case kSecOIDExtendedKeyUsage:
                label = "Extended Key Usage"
                try addIdentifiers("Purpose", bytes)
            case kSecOIDAuthorityInfoAccess:
                label = "Authority Information Access"
                try addAccess(bytes)
            case kSecOIDSubjectInfoAccess:
                label = "Authority Information Access"
                try addAccess(bytes)
            case kSecOIDQC_Statements:
                label = "Qualified Certificate Statements"
                try addStatements(bytes)
            case kSecOIDNetscapeCertType:
                label = "Usage"
                try addBits("Usage", bytes, Self.netscapeTypes)
            default: return false
            }
        } catch {
            guard error.status == errSecDecode else { throw error }
            try addInvalid(label, bytes)
        }
        return true
    }

    private static let keyUsages = [
        "Digital Signature", "Non-Repudiation", "Key Encipherment", "Data Encipherment", "Key Agreement", "Cert Sign",
        "CRL Sign", "Encipher Only", "Decipher Only",
    ]

    private static let netscapeTypes = [
        "SSL client", "SSL server", "S/MIME", "Object Signing", "Reserved", "SSL CA", "S/MIME CA", "Object Signing CA",
    ]

    /// Adds a section for an extension, under its identifier.
    mutating func addExtension(_ found: CertificateFields.Extension) throws(KeychainError) {
        var list = section
        try list.add("Critical", found.isCritical)
        let identifier = DERText.identifier(found.identifier)
        if try !list.addKnown(identifier, found.value), try !list.addPrintableTexts(found.value) {
            try list.addUnparsed("Data", found.value)
        }
        try addSection(identifier, list)
    }

    // MARK: - Extensions that are not known

    /// Adds the texts of a sequence.
    ///
    /// - Returns: Whether the bytes are a sequence with at least one text.
    private mutating func addPrintableTexts(_ bytes: ArraySlice<UInt8>) throws(KeychainError) -> Bool {
        let texts: Set<UInt8> = [0x0c, 0x12, 0x13, 0x14, 0x15, 0x16, 0x19, 0x1a, 0x1b, 0x1c]
        var hasTexts = false
        var reader = BERReader(bytes, isDistinguished: true)
        guard var parts = try? reader.next(BERTag.sequence).parts else { return false }
        while !parts.isAtEnd {
            guard let part = try? parts.next() else { return false }
            guard texts.contains(part.tag) else { continue }
            try add("Data", DERText.text(tag: part.tag, part.content))
            hasTexts = true
        }
        return hasTexts
    }

    // MARK: - Parts that several have

    /// Adds the names of the bits that are set.
    ///
    /// - Parameter bytes: The complete bit string.
    mutating func addBits(_ label: String, _ bytes: ArraySlice<UInt8>, _ names: [String]) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        try addBits(label, in: reader.next(BERTag.bitString).content, names)
    }

    /// - Parameter content: The content of the bit string.
    mutating func addBits(
        _ label: String, in content: ArraySlice<UInt8>, _ names: [String]
    ) throws(KeychainError) {
        let bits = try content.flags()
        guard bits.count <= names.count else { throw .notDecodable("a string of bits is too long") }
        try add(label, zip(names, bits).filter(\.1).map(\.0).joined(separator: ", "))
    }

    /// Adds the identifiers of a sequence.
    private mutating func addIdentifiers(_ label: String, _ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        var parts = try reader.next(BERTag.sequence).parts
        while !parts.isAtEnd { try add(label, DERText.identifier(parts.next(BERTag.identifier).content)) }
    }

    /// The values of a sequence whose values are optional.
    ///
    /// - Throws: `errSecDecode` if there is any other value.
    fileprivate static func fields(
        _ bytes: ArraySlice<UInt8>, _ tags: [UInt8]
    ) throws(KeychainError) -> [ArraySlice<UInt8>?] {
        var reader = BERReader(bytes, isDistinguished: true)
        var parts = try reader.next(BERTag.sequence).parts
        var fields: [ArraySlice<UInt8>?] = []
        for tag in tags { fields.append(try parts.nextIfAny(tag)?.content) }
        guard parts.isAtEnd else { throw .notDecodable("a sequence has an unexpected value") }
        return fields
    }

    // MARK: - Extensions

    private mutating func addSubjectKey(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        try addData("Key Identifier", reader.next(BERTag.octetString).content)
    }

    private mutating func addAuthorityKey(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let fields = try Self.fields(bytes, [0x80, 0xa1, 0x82])
        if let key = fields[0] { try addData("Key Identifier", key) }
        switch (fields[1], fields[2]) {
        case (let issuer?, let number?):
            try addGeneralNames(in: issuer)
            try add("Authority Certificate Serial Number", DERText.integer(number))
        case (nil, nil): break
        default: throw .notDecodable("the issuer's certificate is half there")
        }
    }

    private mutating func addUsagePeriod(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let fields = try Self.fields(bytes, [0x80, 0x81])
        for (label, field) in zip(["Not Valid Before", "Not Valid After"], fields) {
            guard let field else { continue }
            guard let date = CertificateDate.date(tag: 0x18, field) else {
                try addInvalid(label, field)
                continue
            }
            try add(label, .date(date))
        }
    }

    private mutating func addBasicConstraints(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let label = "Certificate Authority"
        let fields = try Self.fields(bytes, [BERTag.boolean, BERTag.integer])
        let value = fields[0] ?? []
        if value.isEmpty || value.elementsEqual([0]) {
            try add(label, false)
        } else if value.elementsEqual([0xff]) {
            try add(label, true)
        } else {
            try addInvalid(label, value)
        }
        if let length = fields[1] { try add("Path Length Constraint", DERText.integer(length)) }
    }

    private mutating func addNameConstraints(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let fields = try Self.fields(bytes, [0xa0, 0xa1])
        for (label, field) in zip(["Permitted Subtree", "Excluded Subtree"], fields) {
            guard let field else { continue }
            var subtrees = BERReader(field, isDistinguished: true)
            while !subtrees.isAtEnd { try addSubtree(label, subtrees.next(BERTag.sequence)) }
        }
    }

    private mutating func addSubtree(_ label: String, _ subtree: BERValue) throws(KeychainError) {
        var parts = subtree.parts
        let name = try parts.next().encoding
        let (least, most) = (try parts.nextIfAny(0x80), try parts.nextIfAny(0x81))
        guard parts.isAtEnd else { throw .notDecodable("a subtree has an unexpected value") }
        if let least { try add("\(label) Minimum", DERText.integer(least.content)) }
        if let most { try add("\(label) Maximum", DERText.integer(most.content)) }
        var base = section
        try base.addGeneralName(name)
        try addSection("\(label) General Name", base)
    }

    private mutating func addPolicyConstraints(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let fields = try Self.fields(bytes, [0x80, 0x81])
        if let count = fields[0] { try add("Require Explicit Policy", DERText.integer(count)) }
        if let count = fields[1] { try add("Inhibit Policy Mapping", DERText.integer(count)) }
    }

    private mutating func addAccess(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        var descriptions = try reader.next(BERTag.sequence).parts
        while !descriptions.isAtEnd {
            var parts = try descriptions.next(BERTag.sequence).parts
            let method = try parts.next(BERTag.identifier).content
            let location = try parts.next().encoding
            guard parts.isAtEnd else { throw .notDecodable("an access has an unexpected value") }
            try add("Access Method", DERText.identifier(method))
            try addGeneralName(location)
        }
    }

    private mutating func addStatements(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        var statements = try reader.next(BERTag.sequence).parts
        guard !statements.isAtEnd else { throw .notDecodable("there is no statement") }
        while !statements.isAtEnd {
            var parts = try statements.next(BERTag.sequence).parts
            let kind = DERText.identifier(try parts.next(BERTag.identifier).content)
            let info = parts.isAtEnd ? [] : try parts.next().encoding
            guard parts.isAtEnd else { throw .notDecodable("a statement has an unexpected value") }
            let label = "Qualified Certificate Type"
            switch kind {
            // Those of ETSI EN 319 412-5.
            case "0.4.0.1862.1.1": try add("Qualified Certificate", true)
            case "0.4.0.1862.1.6":
                try read(label, info) { (list, info) throws(KeychainError) in try list.addIdentifiers(label, info) }
            default: try add(kind, DERText.value(info))
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bits of a bit string of eight or sixteen bits, from its content.
    ///
    /// - Throws: `errSecDecode` for any other length.
    func flags() throws(KeychainError) -> [Bool] {
        guard (2...3).contains(count), let unused = first, unused < 8 else {
            throw .notDecodable("a string of bits has a wrong length")
        }
        let bits = dropFirst().flatMap { byte in (0..<8).map { byte & (0x80 >> $0) != 0 } }
        return Array<Bool>(bits.dropLast(Int(unused)))
    }
}
