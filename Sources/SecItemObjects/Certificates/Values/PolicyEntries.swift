// SPDX-License-Identifier: Apache-2.0

// The entries of policies and of where revocation lists are found: RFC 5280, sections 4.2.1.4 and 4.2.1.13.

extension EntryList {
    mutating func addPolicies(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        var policies = try reader.next(BERTag.sequence).parts
        var count = 0
        while !policies.isAtEnd {
            var parts = try policies.next(BERTag.sequence).parts
            let identifier = try parts.next(BERTag.identifier).content
            let qualifiers = try parts.nextIfAny(BERTag.sequence)
            guard parts.isAtEnd else { throw .notDecodable("a policy has an unexpected value") }
            count += 1
            try add("Policy Identifier #\(count)", DERText.identifier(identifier))
            if let qualifiers { try addQualifiers(qualifiers) }
        }
    }

    private mutating func addQualifiers(_ value: BERValue) throws(KeychainError) {
        var qualifiers = value.parts
        var count = 0
        while !qualifiers.isAtEnd {
            var parts = try qualifiers.next(BERTag.sequence).parts
            let kind = DERText.identifier(try parts.next(BERTag.identifier).content)
            let qualifier = try parts.next()
            guard parts.isAtEnd else { throw .notDecodable("a qualifier has an unexpected value") }
            count += 1
            try add("Policy Qualifier #\(count)", kind)
            switch kind {
            case "1.3.6.1.5.5.7.2.1":
                guard qualifier.tag == 0x16 else { throw .notDecodable("an address is none") }
                try addURL("CPS URI", qualifier.content)
            case "1.3.6.1.5.5.7.2.2": try addNotice(qualifier)
            default: try addUnparsed("Qualifier", qualifier.encoding)
            }
        }
    }

    private mutating func addNotice(_ value: BERValue) throws(KeychainError) {
        guard value.tag == BERTag.sequence else { throw .notDecodable("a notice is none") }
        var parts = value.parts
        if var reference = try parts.nextIfAny(BERTag.sequence)?.parts {
            let organization = try reference.next()
            let numbers = try reference.next(BERTag.sequence).content
            guard reference.isAtEnd else { throw .notDecodable("a notice has an unexpected value") }
            try add("Organization", DERText.text(tag: organization.tag, organization.content))
            let label = "Notice Numbers"
            try read(label, numbers) { (list, numbers) throws(KeychainError) in try list.addIntegers(label, numbers) }
        }
        if parts.isAtEnd { return }
        let text = try parts.next()
        guard parts.isAtEnd else { throw .notDecodable("a notice has an unexpected value") }
        try add("Explicit Text", DERText.text(tag: text.tag, text.content))
    }

    private mutating func addIntegers(_ label: String, _ content: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(content, isDistinguished: true)
        var texts: [String] = []
        while !reader.isAtEnd { texts.append(DERText.integer(try reader.next(BERTag.integer).content)) }
        guard !texts.isEmpty else { throw .notDecodable("there are no numbers") }
        try add(label, texts.joined(separator: ", "))
    }

    // MARK: - Revocation lists

    private static let reasons = [
        "Unused", "Key Compromise", "CA Compromise", "Affiliation Changed", "Superseded", "Cessation Of Operation",
        "Certificate Hold", "Privilege Withdrawn", "AA Compromise",
    ]

    mutating func addDistributionPoints(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(bytes, isDistinguished: true)
        var points = try reader.next(BERTag.sequence).parts
        while !points.isAtEnd {
            var parts = try points.next(BERTag.sequence).parts
            let (name, reasons) = (try parts.nextIfAny(0xa0), try parts.nextIfAny(0x81))
            let issuer = try parts.nextIfAny(0xa2)
            guard parts.isAtEnd else { throw .notDecodable("a place has an unexpected value") }
            if let name { try addDistributionPoint(name) }
            if let reasons {
                try read("Reasons", reasons.content) { (list, content) throws(KeychainError) in
                    try list.addBits("Reasons", in: content, Self.reasons)
                }
            }
            guard let issuer else { continue }
            var names = section
            try names.addGeneralNames(in: issuer.content)
            try addSection("CRL Issuer", names)
        }
    }

    private mutating func addDistributionPoint(_ value: BERValue) throws(KeychainError) {
        var parts = value.parts
        let name = try parts.next()
        switch name.tag {
        case 0xa0: try addGeneralNames(in: name.content)
        case 0xa1:
            var part = section
            try part.read("RDN", name.content) { (list, content) throws(KeychainError) in
                try list.addNamePart(content)
            }
            try addSection("Name Relative To CRL Issuer", part)
        default: throw .notDecodable("a place is of an unknown kind")
        }
    }
}
