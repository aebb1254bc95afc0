// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@testable import SecItemObjects

/// The cases of x509-limbo and BetterTLS: a chain, the request, and the expected verdict.
struct PathVectors: Decodable {
    struct Case: Decodable {
        let id: String
        /// The verdict that the publishers expect.
        let trusted: Bool
        let leaf: Int
        let others: [Int]
        let anchors: [Int]
        /// Seconds since 1970.
        let time: Double
        /// The host name or address that a client asked for.
        let host: String?
        /// Whether a server verifies its client.
        let client: Bool?
    }

    let certificates: [Data]
    let cases: [Case]

    init() throws {
        self = try JSONDecoder().decode(Self.self, from: KeyVectorFiles.data("x509-limbo.json"))
    }

    /// The verdict of `SecTrust`.
    ///
    /// - Returns: Nil if the chain is trusted, else the code of the error.
    func error(of vector: Case) throws -> OSStatus? {
        // A leaf that is not accepted as a certificate cannot be put into a trust object.
        guard let judged = try judgement(of: vector) else { return errSecInvalidCertificateRef }
        return judged.isTrusted ? nil : judged.status
    }

    /// The path that `SecTrust` trusts, leaf first. Nil if there is none.
    func trustedPath(of vector: Case) throws -> [Data]? {
        guard let judged = try judgement(of: vector), judged.isTrusted else { return nil }
        return try #require(judged.chain).map { SecCertificateCopyData($0) as Data }
    }

    private func judgement(of vector: Case) throws -> Judgement? {
        guard let leaf = certificate(vector.leaf) else { return nil }
        let policy = SecPolicyCreateSSL(vector.client != true, vector.host as CFString?)
        let date = Date(timeIntervalSince1970: vector.time)
        return try Judgement(
            [leaf] + vector.others.compactMap(certificate), anchors: vector.anchors.compactMap(certificate), policy,
            date: date
        ) {
            #expect(SecTrustSetAnchorCertificatesOnly($0, true) == errSecSuccess)
        }
    }

    private func certificate(_ index: Int) -> SecCertificate? {
        SecCertificateCreateWithData(nil, certificates[index] as CFData)
    }
}

/// OpenSSL's verifier with only the settings that the program `openssl verify` has.
struct PlainVerifier {
    private typealias SetText = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int) -> CInt
    private typealias SetName = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> CInt

    private let library: LibcryptoX509
    private let setDefault: SetName
    private let setHost: SetText
    private let setAddress: SetName

    init() throws {
        library = try #require(LibcryptoX509.shared)
        setDefault = try library.common.library.function("X509_STORE_CTX_set_default")
        setHost = try library.common.library.function("X509_VERIFY_PARAM_set1_host")
        setAddress = try library.common.library.function("X509_VERIFY_PARAM_set1_ip_asc")
    }

    /// Whether it accepts one path, from the leaf to its anchor, for the request of a case.
    func trusts(_ path: [Data], in vector: PathVectors.Case) throws -> Bool {
        defer { library.common.clearErrors() }
        let parsed = path.compactMap { X509Certificate(library, $0) }
        let (leaf, anchor) = (try #require(parsed.first), try #require(parsed.last))
        let store = try #require(X509Store(library, [anchor]))
        let others = try #require(X509List(library, Array(parsed.dropFirst().dropLast())))
        let context = try #require(library.newContext())
        defer { library.freeContext(context) }
        try #require(library.begin(context, store.pointer, leaf.pointer, others.pointer) == 1)
        try #require(setDefault(context, vector.client == true ? "ssl_client" : "ssl_server") == 1)
        let parameters = try #require(library.contextParameters(context))
        let partialChain: CUnsignedLong = 0x80000
        _ = library.setFlags(parameters, partialChain)
        library.setTime(parameters, time_t(vector.time))
        library.setLevel(parameters, ChainVerifier.Level.server.rawValue)
        if let host = vector.host, setAddress(parameters, host) != 1 {
            try #require(setHost(parameters, host, host.utf8.count) == 1)
        }
        return withExtendedLifetime((leaf, store, others)) { library.verify(context) == 1 }
    }
}
