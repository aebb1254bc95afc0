// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The parts of a certificate's subject and extensions that Apple checks and OpenSSL does not: RFC 5280, section 4.2.
struct CertificateForm: Sendable {
    private var extensionFailures = [TrustCheck]()
    /// What OpenSSL multiplies when it verifies a chain with the certificate.
    private(set) var counts = CertificateCounts()
    /// Whether it restricts the names of certificates below it.
    private(set) var constrainsNames = false
    /// How it restricts the names that a caller can ask for.
    private(set) var constraints: NameConstraints?
    /// The number of purposes that it states, of which OpenSSL knows some.
    private(set) var purposes = 0
    /// Whether an e-mail address has more than one "@", so that programs disagree about its host.
    private(set) var hasAmbiguousAddress = false

    private var hasCriticalNames = false
    private let isNameless: Bool

    /// - Throws: An error if the bytes are not a certificate.
    init(ofCertificate bytes: Data) throws {
        let parts = try Self.signedParts(of: bytes)
        // The serial number, the algorithm, the issuer and the dates precede the subject.
        guard parts.count > 5, case .constructed(let subject) = parts[4].content else {
            throw CertificateParts.Failure.incomplete
        }
        let entries = subject.reduce(0) { count, _ in count + 1 }
        isNameless = entries == 0
        counts.names += entries
        counts.nameBytes += parts[4].encodedBytes.count
        counts.issuerBytes = parts[2].encodedBytes.count
        if let tagged = parts.first(where: { $0.identifier == Self.extensionsTag }) { try read(extensions: tagged) }
    }

    /// The failures of the certificate in any chain.
    func failures(isAuthority: Bool) -> [TrustCheck] {
        let lacksSubject = isNameless && (isAuthority || !hasCriticalNames)
        return extensionFailures + (lacksSubject ? [.nonEmptySubject] : [])
    }

    private static func signedParts(of bytes: Data) throws -> [ASN1Node] {
        try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence) { nodes in
            let signed = try nodes.required()
            _ = nodes.all()
            return try DER.sequence(signed, identifier: .sequence) { $0.all() }.filter { $0.identifier != versionTag }
        }
    }

    private mutating func read(extensions tagged: ASN1Node) throws {
        guard case .constructed(let content) = tagged.content else { throw CertificateParts.Failure.unexpected }
        var inner = content.makeIterator()
        var kinds = Set<ASN1ObjectIdentifier>()
        for node in try DER.sequence(inner.required(), identifier: .sequence, { $0.all() }) {
            let (kind, isCritical, value) = try DER.sequence(node, identifier: .sequence) { nodes in
                let kind = try ASN1ObjectIdentifier(derEncoded: &nodes)
                let rest = nodes.all()
                guard let value = rest.last else { throw CertificateParts.Failure.incomplete }
                let isCritical = rest.count > 1 ? try Bool(derEncoded: rest[0]) : false
                return (kind, isCritical, try value.bytes(tagged: .octetString))
            }
            if !kinds.insert(kind).inserted { note(.duplicateExtension) }
            read(kind, isCritical: isCritical, [UInt8](value))
        }
    }

    private mutating func read(_ kind: ASN1ObjectIdentifier, isCritical: Bool, _ value: [UInt8]) {
        var isReadable = true
        switch kind {
        case .nameConstraints:
            constrainsNames = true
            // OpenSSL refuses the certificate if they cannot be read.
            constraints = try? NameConstraints(value)
            counts.subtreeBytes += value.count
            counts.subtrees += Self.sequence(value)?.reduce(0) { $0 + Self.count($1) } ?? Self.bound(value)
        case .certificatePolicies:
            let policies = Self.sequence(value)
            counts.policies += policies?.count ?? Self.bound(value)
            counts.hasAnyPolicy = policies?.contains(where: Self.isAnyPolicy) ?? true
        case .extendedKeyUsage: purposes += Self.sequence(value)?.count ?? 0
        case .policyMappings: counts.mappings += Self.sequence(value)?.count ?? Self.bound(value)
        case .revocationLists, .freshestList:
            counts.relativePoints += Self.sequence(value)?.count(where: Self.isRelative) ?? Self.bound(value)
        case .subjectAlternativeName:
            counts.nameBytes += value.count
            let names = Self.sequence(value)
            counts.names += names?.reduce(0) { $0 + Self.weight($1) } ?? 8 * Self.bound(value)
            hasCriticalNames = isCritical
            hasAmbiguousAddress = (names ?? []).contains { name in
                name.identifier == Self.emailTag && name.text.count { $0 == UInt8(ascii: "@") } > 1
            }
        case .authorityKeyIdentifier: isReadable = Self.isAuthorityKeyIdentifier(value)
        case .authorityInformationAccess: isReadable = Self.isInformationAccess(value)
        default: break
        }
        if !isReadable { note(.unparseableExtension) }
    }

    private mutating func note(_ check: TrustCheck) {
        if !extensionFailures.contains(check) { extensionFailures.append(check) }
    }

    /// The greatest number of values in bytes that only OpenSSL may be able to read.
    private static func bound(_ value: [UInt8]) -> Int { value.count / 2 }

    /// OpenSSL converts each constraint for an international e-mail address, which takes the time of several names.
    private static func weight(_ name: ASN1Node) -> Int { name.identifier == versionTag ? 8 : 1 }

    private static func count(_ node: ASN1Node) -> Int {
        if case .constructed(let nodes) = node.content { nodes.reduce(0) { count, _ in count + 1 } } else { 0 }
    }

    private static func isAnyPolicy(_ node: ASN1Node) -> Bool {
        guard case .constructed(let nodes) = node.content, let first = nodes.first(where: { _ in true }) else {
            return true
        }
        return (try? ASN1ObjectIdentifier(derEncoded: first)) == .anyPolicy
    }

    /// Whether a place of a revocation list has a name relative to the issuer's.
    private static func isRelative(_ node: ASN1Node) -> Bool {
        guard case .constructed(let parts) = node.content else { return true }
        return parts.contains { part in
            guard part.identifier == pointTag, case .constructed(let names) = part.content else { return false }
            return names.contains { $0.identifier == emailTag }
        }
    }

    /// The issuer and serial number of an authority must both be present, or neither.
    private static func isAuthorityKeyIdentifier(_ value: [UInt8]) -> Bool {
        guard let parts = sequence(value) else { return false }
        func has(_ number: UInt) -> Bool {
            parts.contains { $0.identifier == ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific) }
        }
        return has(1) == has(2)
    }

    /// At least one description, each with a method and a place. For responders and issuers, the place is a URL.
    private static func isInformationAccess(_ value: [UInt8]) -> Bool {
        guard let descriptions = sequence(value), !descriptions.isEmpty else { return false }
        return descriptions.allSatisfy { node in
            let isFine = try? DER.sequence(node, identifier: .sequence) { nodes in
                let method = try ASN1ObjectIdentifier(derEncoded: &nodes)
                let place = try nodes.required()
                return place.identifier == urlTag || !(method == .responder || method == .issuers)
            }
            return isFine ?? false
        }
    }

    private static func sequence(_ value: [UInt8]) -> [ASN1Node]? {
        try? DER.sequence(DER.parse(value), identifier: .sequence) { $0.all() }
    }

    /// Also that of a name of another kind.
    private static let versionTag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    private static let extensionsTag = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
    private static let pointTag = versionTag
    /// Also that of a relative name.
    private static let emailTag = ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)
    private static let urlTag = ASN1Identifier(tagWithNumber: 6, tagClass: .contextSpecific)
}

/// The forms of the certificates of one evaluation, each of which is read once.
final class CertificateForms {
    private var known: [LibcryptoX509.Object: (certificate: X509Certificate, form: CertificateForm?)] = [:]

    /// Nil if it cannot be read.
    func form(of certificate: X509Certificate) -> CertificateForm? {
        if let known = known[certificate.pointer] { return known.form }
        let form = try? CertificateForm(ofCertificate: certificate.bytes)
        known[certificate.pointer] = (certificate, form)
        return form
    }
}

extension VerifiedChain {
    /// Adds the failures in the form of its certificates.
    mutating func applyForm(_ known: CertificateForms) {
        let forms = certificates.map(known.form)
        for (index, form) in forms.enumerated() {
            guard let form else {
                add(.certificateProcessing, at: index)
                continue
            }
            for check in form.failures(isAuthority: certificates[index].isAuthority) { add(check, at: index) }
            let isConstrained = forms.dropFirst(index + 1).contains { $0?.constrainsNames == true }
            if isConstrained, form.hasAmbiguousAddress { add(.nameConstraints, at: index) }
        }
    }
}

extension ASN1Node {
    fileprivate var text: ArraySlice<UInt8> {
        if case .primitive(let bytes) = content { bytes } else { [] }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let nameConstraints: ASN1ObjectIdentifier = [2, 5, 29, 30]
    fileprivate static let revocationLists: ASN1ObjectIdentifier = [2, 5, 29, 31]
    fileprivate static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    fileprivate static let anyPolicy: ASN1ObjectIdentifier = [2, 5, 29, 32, 0]
    fileprivate static let policyMappings: ASN1ObjectIdentifier = [2, 5, 29, 33]
    fileprivate static let extendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37]
    fileprivate static let freshestList: ASN1ObjectIdentifier = [2, 5, 29, 46]
    fileprivate static let authorityKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 35]
    fileprivate static let authorityInformationAccess: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 1]
    fileprivate static let responder: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1]
    fileprivate static let issuers: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 2]
}
