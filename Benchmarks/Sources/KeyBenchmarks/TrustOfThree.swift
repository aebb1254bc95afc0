// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A chain of a leaf, an authority and a root. `SecTrust` and OpenSSL's verifier both evaluate it from the
/// certificates' bytes.
struct TrustOfThree {
    private let leaf: Data
    private let middle: Data
    private let root: Data
    private let verifier: Verifier

    init(folder: String) throws {
        let maker = CertificateMaker(folder: folder)
        let authority = "basicConstraints=critical,CA:TRUE"
        root = try maker.make("root", by: nil, [authority])
        middle = try maker.make("middle", by: "root", [authority])
        leaf = try maker.make(
            "leaf", by: "middle", ["subjectAltName=DNS:host.example.org", "extendedKeyUsage=serverAuth"])
        verifier = try Verifier()
    }

    func measure() throws -> [String] {
        let fromBytes = try Pair(
            repeating: 30, base: { try verifier.verify(leaf, middle, root) },
            product: { try judge(certificates()) })
        let ready = try certificates()
        let fromObjects = try Pair(
            repeating: 30, base: { try verifier.verify(leaf, middle, root) }, product: { try judge(ready) })
        return [
            fromBytes.row("a chain of three, from bytes", beside: "X509_verify_cert"),
            fromObjects.row("a chain of three, from `SecCertificate`", beside: "X509_verify_cert, from bytes"),
        ]
    }

    private func certificates() throws -> [SecCertificate] {
        try [leaf, middle, root].map { try require(SecCertificateCreateWithData(nil, $0 as CFData)) }
    }

    private func judge(_ certificates: [SecCertificate]) throws {
        var made: SecTrust?
        let policy = SecPolicyCreateSSL(true, "host.example.org" as CFString)
        guard
            SecTrustCreateWithCertificates([certificates[0], certificates[1]] as CFArray, policy, &made)
                == errSecSuccess
        else { throw Failure(what: "trust") }
        let trust = try require(made)
        SecTrustSetAnchorCertificates(trust, [certificates[2]] as CFArray)
        guard SecTrustEvaluateWithError(trust, nil) else { throw Failure(what: "not trusted") }
    }
}

/// Makes certificates with the program `openssl`.
private struct CertificateMaker {
    let folder: String

    func make(_ name: String, by issuer: String?, _ extensions: [String]) throws -> Data {
        let path = folder + "/" + name
        var words = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "300"]
        words += ["-keyout", path + ".key", "-out", path + ".pem", "-subj", "/CN=\(name)"]
        // An empty configuration, so that the machine's own adds nothing.
        try Data("[req]\ndistinguished_name=dn\n[dn]\n".utf8).write(to: URL(fileURLWithPath: folder + "/cnf"))
        words += ["-config", folder + "/cnf"]
        if let issuer { words += ["-CA", folder + "/\(issuer).pem", "-CAkey", folder + "/\(issuer).key"] }
        for value in extensions { words += ["-addext", value] }
        try run(words)
        try run(["x509", "-in", path + ".pem", "-outform", "DER", "-out", path + ".der"])
        return try Data(contentsOf: URL(fileURLWithPath: path + ".der"))
    }

    private func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failure(what: "openssl \(words)") }
    }
}
