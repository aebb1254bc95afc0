// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

let trustProgramIsThere = (try? Program("openssl", ["version"]).run().status) == 0

/// Certificates that the program `openssl` makes for a test. The name of a certificate is also that of its file, its
/// key and its subject.
struct TrustCertificates {
    static let authority = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"]
    static let server = ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth"]
    static let host = "subjectAltName=DNS:host.example.org"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // Without the extensions that the machine's own configuration would add.
        try Data("[req]\ndistinguished_name=dn\nprompt=no\n[dn]\n".utf8).write(to: url("cnf"))
    }

    /// Files with these names: a server's certificate, its authority's and the root's.
    static func chain() throws -> (
        made: TrustCertificates, root: SecCertificate, middle: SecCertificate, leaf: SecCertificate
    ) {
        let made = try TrustCertificates()
        return (
            made, try made.make("root", days: 3000, authority),
            try made.make("middle", by: "root", days: 1000, authority),
            try made.make("leaf", by: "middle", server + [host])
        )
    }

    func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    func path(_ name: String) -> String { url(name).path }

    /// A new certificate. Without an issuer, it is self-signed. It has the key of another certificate if that one is
    /// named.
    @discardableResult
    func make(
        _ name: String, by issuer: String? = nil, subject: String? = nil, key: [String]? = nil,
        keyOf owner: String? = nil,
        digest: String = "sha256", days: Int = 300, _ extensions: [String]
    ) throws -> SecCertificate {
        var words = ["req", "-x509", "-config", path("cnf"), "-nodes", "-\(digest)", "-days", "\(days)"]
        if let owner {
            words += ["-key", path(owner + ".key")]
        } else {
            words += ["-newkey"] + (key ?? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
            words += ["-keyout", path(name + ".key")]
        }
        words += ["-out", path(name + ".pem"), "-subj", subject ?? "/CN=\(name)"]
        if let issuer { words += ["-CA", path(issuer + ".pem"), "-CAkey", path(issuer + ".key")] }
        for value in extensions { words += ["-addext", value] }
        try Program("openssl", words).output()
        return try certificate(name)
    }

    func certificate(_ name: String) throws -> SecCertificate {
        try Program("openssl", ["x509", "-in", path(name + ".pem"), "-outform", "DER", "-out", path(name + ".der")])
            .output()
        let data = try Data(contentsOf: url(name + ".der"))
        return try #require(SecCertificateCreateWithData(nil, data as CFData))
    }

    /// The leaves that `openssl verify` accepts.
    func verified(_ leaves: [String], with others: [String], anchors: [String], date: Date) throws -> Set<String> {
        var words = ["verify", "-partial_chain", "-policy_check", "-auth_level", "1", "-no-CAfile", "-no-CApath"]
        words += ["-no-CAstore", "-attime", "\(Int(date.timeIntervalSince1970))"]
        for anchor in anchors { words += ["-trusted", path(anchor + ".pem")] }
        for other in others { words += ["-untrusted", path(other + ".pem")] }
        let output = try Program("openssl", words + leaves.map { path($0 + ".pem") }).run().output
        return Set(leaves.filter { output.contains(path($0 + ".pem") + ": OK\n") })
    }

    /// An OCSP response for a leaf, signed by its issuer.
    func response(for leaf: String, by issuer: String, signer: String? = nil, isRevoked: Bool) throws -> Data {
        let serial = try Program("openssl", ["x509", "-in", path(leaf + ".pem"), "-noout", "-serial"]).output()
            .trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "serial=", with: "")
        let state = isRevoked ? "R\t361231235959Z\t260101000000Z" : "V\t361231235959Z\t"
        try Data("\(state)\t\(serial)\tunknown\t/CN=\(leaf)\n".utf8).write(to: url("index"))
        let (request, response) = (path("request.ocsp"), path("response.ocsp"))
        let issuerFile = path(issuer + ".pem")
        try Program(
            "openssl", ["ocsp", "-issuer", issuerFile, "-cert", path(leaf + ".pem"), "-reqout", request, "-no_nonce"]
        ).output()
        let signer = signer ?? issuer
        try Program(
            "openssl",
            [
                "ocsp", "-index", path("index"), "-CA", issuerFile, "-rsigner", path(signer + ".pem"), "-rkey",
                path(signer + ".key"), "-reqin", request, "-respout", response, "-ndays", "7",
            ]
        ).output()
        return try Data(contentsOf: url("response.ocsp"))
    }
}

/// The result of an evaluation, in a form that can be compared.
struct Judgement {
    let trust: SecTrust
    let isTrusted: Bool
    let error: CFError?

    init(
        _ certificates: [SecCertificate], anchors: [SecCertificate]?, _ policy: SecPolicy = SecPolicyCreateBasicX509(),
        date: Date? = nil, configure: (SecTrust) -> Void = { _ in }
    ) throws {
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificates as CFArray, policy, &made) == errSecSuccess)
        trust = try #require(made)
        if let anchors { #expect(SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess) }
        if let date { #expect(SecTrustSetVerifyDate(trust, date as CFDate) == errSecSuccess) }
        configure(trust)
        var error: CFError?
        isTrusted = SecTrustEvaluateWithError(trust, &error)
        self.error = error
    }

    /// The error's code, or 0 if the chain is trusted.
    var status: OSStatus { isTrusted ? errSecSuccess : OSStatus(error?.code ?? 1) }

    var chain: [SecCertificate]? { SecTrustCopyCertificateChain(trust) as? [SecCertificate] }

    var result: SecTrustResultType {
        var result = SecTrustResultType.otherError
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        return result
    }
}

extension Date {
    static func inDays(_ days: Double) -> Date { Date(timeIntervalSinceNow: days * 86_400) }
}
