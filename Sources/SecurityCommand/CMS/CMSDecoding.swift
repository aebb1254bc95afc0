// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// Reads a message: its content, and what there is to say of it.
struct CMSDecoding {
    let parties: CMSParties
    /// The content, where it is not in the message.
    var content: [UInt8]?
    /// Who may have signed it.
    var policy: TrustPolicy
    /// The number that stands in the lines about the message; nil for no such lines.
    var headerLevel: Int?

    /// What came of it.
    struct Decoded {
        /// What is said of the message, line by line.
        var header = ""
        var content: [UInt8] = []
        /// Whether it was encrypted.
        var isSecret = false
    }

    /// Reads a message.
    ///
    /// That its signer's certificate has expired, or is of nobody who is trusted here, keeps no content back, as on a Mac. A
    /// signature that is wrong, or that cannot be looked at, does.
    ///
    /// - Throws: ``CommandFailure`` for such a signature, for what is no message, and for what is encrypted for others.
    func decode(_ bytes: [UInt8]) throws -> Decoded {
        guard !bytes.isEmpty else { throw CommandFailure("cms: the message is empty") }
        let message = try CMSMessage(bytes)
        var decoded = Decoded()
        switch message.kind {
        case .signed: try decodeSigned(message, bytes, &decoded)
        case .enveloped: try decodeEnveloped(message, bytes, &decoded)
        case .data, .digested:
            guard let content = try message.plainContent(content) else {
                throw CommandFailure("cms: failed to decode message: it has no content, or its digest does not match")
            }
            decoded.header = header(message.kind)
            decoded.content = content
        case .encrypted:
            throw CommandFailure(
                "cms", errSecUnimplemented, reason: "encryptedData is not supported: its key is in another message")
        case .other: throw CommandFailure("cms: failed to decode message: its type is unknown")
        }
        return decoded
    }

    // MARK: Signed

    /// More have not signed anything. The chain of each is built and verified.
    private static let mostSigners = 64

    private func decodeSigned(_ message: CMSMessage, _ bytes: [UInt8], _ decoded: inout Decoded) throws {
        let count = message.signerCount
        guard count > 0 else {
            // It carries certificates.
            decoded.header = header(.signed, "nsigners=0; ")
            return
        }
        guard count <= Self.mostSigners else {
            throw CommandFailure("cms: failed to decode message: it has more than \(Self.mostSigners) signers")
        }
        guard message.hasContent || content != nil else {
            throw CommandFailure("cms: failed to decode message: its content is in another file, which -c names")
        }
        var signed = try message.signedContent(content, others: [])
        var signers = message.signers(isRight: signed != nil)
        // Nobody is asked to unlock a keychain for a message that has all it needs.
        let isMissing = signers.contains { $0.status == .certificateMissing }
        let others = isMissing || headerLevel != nil ? try parties.certificates() : []
        if isMissing {
            let again = try CMSMessage(bytes)
            signed = try again.signedContent(content, others: others)
            signers = again.signers(isRight: signed != nil)
        }
        if headerLevel != nil {
            let verdicts = SignerVerdicts(try policy.policy(), among: Authorities(others), sent: message.certificates)
            let texts = try signers.enumerated().map { index, signer in
                let name = signer.certificate.flatMap(\.commonName).map(PrintedBytes.line) ?? "<NULL>"
                let status = try verdicts.verdict(signer)
                return "\n\t\tsigner\(index).id=\"\(name)\"; signer\(index).status=\(status.rawValue); "
            }
            decoded.header = header(.signed, "nsigners=\(count); " + texts.joined())
        }
        guard let signed else {
            // So that the lines are there.
            Console.write(decoded.header)
            let wrong = signers.enumerated().filter { $0.element.status != .good }.map { index, signer in
                "signer \(index) status = \(signer.status.rawValue)"
            }
            let reason = wrong.isEmpty ? "its signatures cannot be verified" : wrong.joined(separator: ", ")
            throw CommandFailure("cms: failed to decode message: \(reason)")
        }
        decoded.content = signed
    }

    // MARK: Enveloped

    private func decodeEnveloped(_ message: CMSMessage, _ bytes: [UInt8], _ decoded: inout Decoded) throws {
        var hasHiddenKey = false
        for identity in try parties.identities() {
            guard let certificate = identity.certificate else { continue }
            guard var key = identity.exportedKey() else {
                hasHiddenKey = true
                continue
            }
            defer { key.withUnsafeMutableBytes { $0.wipe() } }
            // OpenSSL changes what it decrypts.
            guard let content = try CMSMessage(bytes).decrypted(key, certificate) else { continue }
            decoded.header = header(.enveloped)
            decoded.content = content
            decoded.isSecret = true
            return
        }
        throw CommandFailure(
            "cms: failed to decode message: it is encrypted, and no key here opens it"
                + (hasHiddenKey ? ". Keys that cannot be exported are not tried" : ""))
    }

    // MARK: Header

    /// As a Mac's command has it: the message, and what is in it.
    private func header(_ kind: CMSMessage.Kind, _ details: String = "") -> String {
        guard let headerLevel else { return "" }
        let content = "\tlevel=\(headerLevel).1; type=data; \n"
        if kind == .data { return "SMIME: " + content }
        return "SMIME: \tlevel=\(headerLevel).2; type=\(kind.name); \(details)\n" + content
    }
}

/// Says whether the signers of a message are trusted, each certificate once.
private final class SignerVerdicts {
    private let policy: SecPolicy
    private let known: Authorities
    private let sent: Authorities
    private var trusted: [SecCertificate: Bool] = [:]

    /// - Parameters:
    ///   - known: The certificates of the keychains.
    ///   - sent: Those of the message.
    init(_ policy: SecPolicy, among known: Authorities, sent: [SecCertificate]) {
        self.policy = policy
        self.known = known
        self.sent = Authorities(sent)
    }

    func verdict(_ signer: CMSMessage.Signer) throws -> CMSMessage.SignatureStatus {
        guard signer.status == .good, let certificate = signer.certificate else { return signer.status }
        guard certificate.maySign else { return .notTrusted }
        if let known = trusted[certificate] { return known ? .good : .notTrusted }
        let isTrusted = try TrustVerdict.of(certificate, among: known, sent: sent, policy) == nil
        trusted[certificate] = isTrusted
        return isTrusted ? .good : .notTrusted
    }
}
