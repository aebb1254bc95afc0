// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The fields of a certificate: RFC 5280, section 4.1.
struct CertificateFields {
    struct Algorithm {
        let identifier: ArraySlice<UInt8>
        /// Nil if there are none.
        let parameters: BERValue?
    }

    struct Extension {
        let identifier: ArraySlice<UInt8>
        let isCritical: Bool
        let value: ArraySlice<UInt8>
    }

    let version: Int
    let serialNumber: ArraySlice<UInt8>
    /// The signature's algorithm, as named in the signed part.
    let algorithm: Algorithm
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>
    /// Nil if the dates cannot be read.
    let validity: (start: Date, end: Date)?
    let keyAlgorithm: Algorithm
    let key: ArraySlice<UInt8>
    let issuerIdentifier: ArraySlice<UInt8>?
    let subjectIdentifier: ArraySlice<UInt8>?
    let extensions: [Extension]
    let signature: ArraySlice<UInt8>

    /// - Throws: `errSecDecode` if the bytes are not a certificate.
    init(_ bytes: Data) throws(KeychainError) {
        var reader = BERReader(Array(bytes)[...], isDistinguished: true)
        var parts = try reader.next(BERTag.sequence).parts
        var fields = try parts.next(BERTag.sequence).parts
        _ = try parts.next(BERTag.sequence)
        signature = try parts.next(BERTag.bitString).bits()

        var tagged = try fields.nextIfAny(BERTag.tagged0)?.parts
        let number = try tagged?.next(BERTag.integer).number() ?? 0
        version = min(number, 2) + 1
        serialNumber = try fields.next(BERTag.integer).content
        algorithm = try Algorithm(fields.next(BERTag.sequence))
        issuer = try fields.next(BERTag.sequence).content
        validity = try Self.validity(fields.next(BERTag.sequence))
        subject = try fields.next(BERTag.sequence).content
        var key = try fields.next(BERTag.sequence).parts
        keyAlgorithm = try Algorithm(key.next(BERTag.sequence))
        self.key = try key.next(BERTag.bitString).bits()
        issuerIdentifier = try fields.nextIfAny(0x81)?.content
        subjectIdentifier = try fields.nextIfAny(0x82)?.content
        extensions = try Self.extensions(fields.nextIfAny(0xa3))
    }

    private static func validity(_ value: BERValue) throws(KeychainError) -> (start: Date, end: Date)? {
        var parts = value.parts
        let (start, end) = (try parts.next(), try parts.next())
        guard let first = CertificateDate.date(tag: start.tag, start.content),
            let last = CertificateDate.date(tag: end.tag, end.content)
        else { return nil }
        return (first, last)
    }

    private static func extensions(_ value: BERValue?) throws(KeychainError) -> [Extension] {
        guard var tagged = value?.parts else { return [] }
        var parts = try tagged.next(BERTag.sequence).parts
        var extensions: [Extension] = []
        while !parts.isAtEnd {
            guard extensions.count < EntryList.Budget.greatest else {
                throw KeychainError(errSecDataTooLarge, "the certificate has too many extensions")
            }
            extensions.append(try Extension(parts.next(BERTag.sequence)))
        }
        return extensions
    }
}

extension CertificateFields.Algorithm {
    fileprivate init(_ value: BERValue) throws(KeychainError) {
        var parts = value.parts
        identifier = try parts.next(BERTag.identifier).content
        parameters = parts.isAtEnd ? nil : try parts.next()
    }
}

extension CertificateFields.Extension {
    fileprivate init(_ value: BERValue) throws(KeychainError) {
        var parts = value.parts
        identifier = try parts.next(BERTag.identifier).content
        isCritical = try parts.nextIfAny(BERTag.boolean)?.truth() ?? false
        self.value = try parts.next(BERTag.octetString).content
    }
}

extension BERValue {
    /// The bytes after the count of unused bits.
    func bits() throws(KeychainError) -> ArraySlice<UInt8> {
        guard let unused = content.first, unused < 8 else { throw .notDecodable("a string of bits has no count") }
        return content.dropFirst()
    }

    /// A truth value. An empty one is false, as on Apple's platforms.
    func truth() throws(KeychainError) -> Bool {
        switch (content.count, content.first) {
        case (0, _), (1, 0): false
        case (1, 0xff): true
        default: throw .notDecodable("a truth value is none")
        }
    }
}
