// SPDX-License-Identifier: Apache-2.0

// The entries of names: RFC 5280, sections 4.1.2.4 and 4.2.1.6.

extension EntryList {
    /// More parts of a name than Apple reads.
    private static var greatestPartCount: Int { 1024 }

    /// Adds the parts of a name by their identifiers. A part with several values becomes a section.
    ///
    /// - Parameter content: The content of the name's sequence.
    mutating func addName(_ content: ArraySlice<UInt8>) throws(KeychainError) {
        var parts = section
        do throws(KeychainError) {
            var count = 0
            var reader = BERReader(content, isDistinguished: true)
            while !reader.isAtEnd {
                count += 1
                guard count < Self.greatestPartCount else { throw .notDecodable("a name has too many parts") }
                try parts.addNamePart(reader.next(BERTag.set).content)
            }
        } catch {
            guard error.status == errSecDecode else { throw error }
            return try addInvalid("X.501 Name", content)
        }
        append(parts)
    }

    mutating func addNamePart(_ content: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(content, isDistinguished: true)
        guard !reader.isAtEnd else { throw .notDecodable("a part of a name is empty") }
        var count = 0
        while !reader.isAtEnd {
            var pair = try reader.next(BERTag.sequence).parts
            let kind = try pair.next(BERTag.identifier).content
            let value = try pair.next()
            guard pair.isAtEnd, !kind.isEmpty else { throw .notDecodable("a part of a name is none") }
            try add(DERText.identifier(kind), DERText.text(tag: value.tag, value.content))
            count += 1
        }
        if count > 1 { try gather(count) }
    }

    // MARK: - General names

    /// - Parameter bytes: The complete sequence of names.
    mutating func addGeneralNames(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        try read("General Names", bytes) { (list, bytes) throws(KeychainError) in
            var reader = BERReader(bytes, isDistinguished: true)
            try list.addGeneralNames(in: reader.next(BERTag.sequence).content)
        }
    }

    /// - Parameter content: The names without their sequence.
    mutating func addGeneralNames(in content: ArraySlice<UInt8>) throws(KeychainError) {
        try read("General Names", content) { (list, content) throws(KeychainError) in
            var reader = BERReader(content, isDistinguished: true)
            while !reader.isAtEnd { try list.addKnownGeneralName(reader.next()) }
        }
    }

    /// Adds one name of any type.
    mutating func addGeneralName(_ encoding: ArraySlice<UInt8>) throws(KeychainError) {
        try read("General Name", encoding) { (list, encoding) throws(KeychainError) in
            var reader = BERReader(encoding, isDistinguished: true)
            try list.addKnownGeneralName(reader.next())
        }
    }

    /// - Throws: `errSecDecode` for a name of an unknown type.
    private mutating func addKnownGeneralName(_ name: BERValue) throws(KeychainError) {
        let content = name.content
        switch name.tag {
        case 0xa0:
            try read("Other Name", content) { (list, content) throws(KeychainError) in try list.addOtherName(content) }
        case 0x81: try add("Email Address", DERText.latin1(content))
        case 0x82: try add("DNS Name", DERText.latin1(content))
        case 0xa3: try addUnparsed("X.400 Address", content)
        case 0xa4: try addDirectoryName(content)
        case 0xa5: try addUnparsed("EDI Party Name", content)
        case 0xa6: try addConstructedURI(content)
        case 0x86: try addURL("URI", content)
        case 0x87:
            guard let address = DERText.address(content) else { return try addUnparsed("IP Address", content) }
            try add("IP Address", address)
        case 0x88: try add("Registered ID", DERText.identifier(content))
        default: throw .notDecodable("a name is of an unknown kind")
        }
    }

    private mutating func addOtherName(_ content: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(content, isDistinguished: true)
        let kind = try reader.next(BERTag.identifier).content
        let value = try reader.next(BERTag.tagged0).content
        guard reader.isAtEnd else { throw .notDecodable("a name has too many parts") }
        try add(DERText.identifier(kind), DERText.value(value))
    }

    private mutating func addDirectoryName(_ content: ArraySlice<UInt8>) throws(KeychainError) {
        var name = section
        try name.read("X.501 Name", content) { (list, content) throws(KeychainError) in
            var reader = BERReader(content, isDistinguished: true)
            try list.addName(reader.next(BERTag.sequence).content)
        }
        try addSection("Directory Name", name)
    }

    /// Some authorities put a text inside the address.
    private mutating func addConstructedURI(_ content: ArraySlice<UInt8>) throws(KeychainError) {
        var reader = BERReader(content, isDistinguished: true)
        guard let text = try? reader.next(), text.tag == 0x16 else { return try addInvalid("URI", content) }
        try addURL("URI", text.content)
    }
}
