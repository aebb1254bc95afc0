// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// A message of CMS that somebody has made: what is in it, and who signed it.
///
/// Nothing of it is believed: whatever the bytes are, there is a failure and no trap.
final class CMSMessage {
    enum Kind: Sendable, Equatable {
        case data, signed, enveloped, digested, encrypted
        case other

        /// As `cms -D -h` names it.
        var name: String {
            switch self {
            case .data: "data"
            case .signed: "signedData"
            case .enveloped: "envelopedData"
            case .digested: "digestedData"
            case .encrypted: "encryptedData"
            case .other: ""
            }
        }

        /// - Parameter number: OpenSSL's number of the identifier.
        init(number: CInt) {
            switch number {
            case 21: self = .data
            case 22: self = .signed
            // The second has a code for its content, too.
            case 23, 1059: self = .enveloped
            case 25: self = .digested
            case 26: self = .encrypted
            default: self = .other
            }
        }
    }

    /// How it is with one signature. The names are those that `cms -D -h` prints.
    enum SignatureStatus: String, Sendable {
        case good = "GoodSignature"
        case bad = "BadSignature"
        case digestMismatch = "DigestMismatch"
        case certificateMissing = "SigningCertNotFound"
        case notTrusted = "SigningCertNotTrusted"
        /// With a digest for which others can make content with the same signature.
        case weakDigest = "SignatureAlgorithmUnsupported"
    }

    struct Signer {
        /// Nil where the message does not have it.
        let certificate: SecCertificate?
        /// Whether what was signed is what the signature says.
        let status: SignatureStatus
    }

    /// The greatest size of a message, and of its content: 256 MiB.
    static let greatestSize = 256 << 20

    private let library: LibcryptoCMS
    private let message: LibcryptoCMS.Object
    let kind: Kind

    /// - Throws: ``CommandFailure`` when the bytes are no such message, or OpenSSL is missing.
    init(_ bytes: [UInt8]) throws {
        library = try LibcryptoCMS.required()
        guard bytes.count <= Self.greatestSize, let message = library.read(library.readMessage, bytes) else {
            throw CommandFailure(
                "cms: failed to decode message: it is not a CMS message in BER or DER" + Self.hint(for: bytes))
        }
        self.message = message
        kind = Kind(number: library.identifierNumber(library.messageType(message)))
    }

    /// What to do with a message in one of the forms of text, which a Mac's command does not read either.
    private static func hint(for bytes: [UInt8]) -> String {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline).map { $0.lowercased() }
        let convert = "convert it with openssl cms -cmsout -inform"
        if lines.contains(where: { $0.hasPrefix("-----begin ") }) { return ". It is PEM: \(convert) PEM -outform DER" }
        if lines.contains(where: { $0.hasPrefix("mime-version:") || $0.hasPrefix("content-type:") }) {
            return ". It is S/MIME: \(convert) SMIME -outform DER"
        }
        // A sequence of more than 127 bytes, in base64.
        return start.hasPrefix("MI") ? ". It may be base64: decode it with base64 -d" : ""
    }

    deinit {
        library.freeMessage(message)
        library.x509.common.clearErrors()
    }

    // Of <openssl/cms.h>.
    private enum Flags {
        static let withoutTrust: CUnsignedInt = 0x20
        static let binary: CUnsignedInt = 0x80
    }

    var hasContent: Bool {
        library.content(message)?.pointee != nil
    }

    /// The certificates that it brings along, at most as many as a message has that is no attack.
    var certificates: [SecCertificate] {
        library.certificates(of: kind == .signed ? library.certificates(message) : nil, atMost: Self.mostCertificates)
    }

    private static let mostCertificates: CInt = 1024

    /// How many signers it names.
    var signerCount: Int {
        kind == .signed ? Int(max(library.x509.count(library.signers(message)), 0)) : 0
    }

    // MARK: Signed

    /// What was signed, if every signature is right. Whether anybody trusts the signers is not asked.
    ///
    /// - Parameters:
    ///   - content: What was signed, where it is not in the message.
    ///   - others: Certificates that a signer's may be among, beside those of the message.
    /// - Returns: Nil for a signature that is not right: ``signers`` says which.
    func signedContent(_ content: [UInt8]?, others: [SecCertificate]) throws -> [UInt8]? {
        defer { library.x509.common.clearErrors() }
        return try library.withList(of: others) { others in
            try library.output { output in
                let flags = Flags.withoutTrust | Flags.binary
                guard let content else {
                    return library.verify(message, others, nil, nil, output, flags) == 1
                }
                return try library.withInput(content) { library.verify(message, others, nil, $0, output, flags) == 1 }
            }
        }
    }

    /// The signers, after ``signedContent(_:others:)``.
    ///
    /// - Parameter isRight: Whether that found every signature right.
    func signers(isRight: Bool) -> [Signer] {
        defer { library.x509.common.clearErrors() }
        let list = library.signers(message)
        return (0..<signerCount).compactMap { index in
            guard let signer = library.x509.element(list, CInt(index)) else { return nil }
            var certificate: LibcryptoCMS.Object?
            var digest: LibcryptoCMS.Object?
            library.signerParts(signer, nil, &certificate, &digest, nil)
            guard let certificate else { return Signer(certificate: nil, status: .certificateMissing) }
            let known = library.certificate(certificate)
            if isRight { return Signer(certificate: known, status: isStrong(digest) ? .good : .weakDigest) }
            // The attributes are signed: the content has another digest, then.
            let isSignatureRight = library.signedAttributeCount(signer) >= 0 && library.verifySigner(signer) == 1
            return Signer(certificate: known, status: isSignatureRight ? .digestMismatch : .bad)
        }
    }

    /// Whether a signature with the digest says anything: SHA-2 and SHA-3 do, and neither SHA-1 nor MD5.
    private func isStrong(_ algorithm: LibcryptoCMS.Object?) -> Bool {
        guard let algorithm else { return false }
        var identifier: LibcryptoCMS.Object?
        library.algorithmParts(&identifier, nil, nil, algorithm)
        // OpenSSL's numbers: SHA-256 to SHA-224, SHA-512/224 and SHA-512/256, SHA3-224 to SHA3-512.
        let strong: [ClosedRange<CInt>] = [672...675, 1094...1095, 1096...1099]
        let number = library.identifierNumber(identifier)
        return strong.contains { $0.contains(number) }
    }

    // MARK: Not signed

    /// What is in a message that nobody signed or encrypted.
    ///
    /// - Returns: Nil when its digest is another, or it has no content.
    func plainContent(_ content: [UInt8]?) throws -> [UInt8]? {
        defer { library.x509.common.clearErrors() }
        return try library.output { output in
            switch kind {
            case .data: return library.data(message, output, Flags.binary) == 1
            case .digested:
                guard let content else { return library.verifyDigest(message, nil, output, Flags.binary) == 1 }
                return try library.withInput(content) {
                    library.verifyDigest(message, $0, output, Flags.binary) == 1
                }
            default: return false
            }
        }
    }

    /// What was encrypted for the certificate.
    ///
    /// - Parameter key: Its private key, in DER.
    /// - Returns: Nil when it was not encrypted for that one.
    func decrypted(_ key: [UInt8], _ certificate: SecCertificate) throws -> [UInt8]? {
        defer { library.x509.common.clearErrors() }
        guard let key = library.read(library.readKey, key) else { return nil }
        defer { library.x509.common.freeKey(key) }
        guard let certificate = library.read(library.x509.readCertificate, Array(certificate.data)) else { return nil }
        defer { library.x509.freeCertificate(certificate) }
        return try library.output { output in
            library.decrypt(message, key, certificate, nil, output, Flags.binary) == 1
        }
    }

    /// A message whose content only the owners of the certificates' keys can read, encrypted with AES-256.
    ///
    /// - Throws: ``CommandFailure`` for a certificate whose key cannot encrypt.
    static func enveloped(_ content: [UInt8], for recipients: [SecCertificate]) throws -> [UInt8] {
        let library = try LibcryptoCMS.required()
        defer { library.x509.common.clearErrors() }
        return try library.withList(of: recipients) { list in
            try library.withInput(content) { input in
                guard let message = library.encrypt(list, input, library.cipher(), Flags.binary) else {
                    throw CommandFailure("cms: problem enveloping: a recipient's key cannot encrypt")
                }
                defer { library.freeMessage(message) }
                guard let bytes = library.bytes(library.writeMessage, message) else {
                    throw CommandFailure("cms", errSecInternalComponent)
                }
                return bytes
            }
        }
    }
}
