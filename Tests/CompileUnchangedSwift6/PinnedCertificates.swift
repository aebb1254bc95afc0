// SPDX-License-Identifier: Apache-2.0

// Pinning as networking packages do it: they evaluate a chain, and compare its keys with known ones.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private enum PinningError: Error {
    case evaluationFailed(CFError?)
    case noPinnedKey
}

private protocol ServerTrustEvaluating {
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension SecTrust {
    fileprivate var certificates: [SecCertificate] {
        SecTrustCopyCertificateChain(self) as? [SecCertificate] ?? []
    }

    fileprivate var publicKeys: [SecKey] { certificates.compactMap { SecCertificateCopyKey($0) } }

    fileprivate func apply(policy: SecPolicy) throws {
        let status = SecTrustSetPolicies(self, policy)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    fileprivate func performEvaluation() throws {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(self, &error)
        if !isTrusted { throw PinningError.evaluationFailed(error) }
    }

    fileprivate func setAnchors(_ anchors: [SecCertificate]) throws {
        for status in [
            SecTrustSetAnchorCertificates(self, anchors as CFArray), SecTrustSetAnchorCertificatesOnly(self, true),
        ] where status != errSecSuccess {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
    }
}

private struct PublicKeysEvaluator: ServerTrustEvaluating {
    let keys: [SecKey]
    let anchors: [SecCertificate]

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        try trust.setAnchors(anchors)
        try trust.apply(policy: SecPolicyCreateSSL(true, host as CFString))
        try trust.performEvaluation()
        let isPinned = trust.publicKeys.contains { key in keys.contains { $0 as AnyHashable == key as AnyHashable } }
        if !isPinned { throw PinningError.noPinnedKey }
    }
}

private let leafText = """
    MIIBlzCCATygAwIBAgIUFkvKUCEf05ATf2BmDIhK9/kYIT4wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEcm9vdDAeFw0yNjExMjIx
    MjE1MTZaFw0yOTAxMzAxMjE1MTZaMA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7acYIt3MPSgMM
    pQirVXi60/Lxx5ccGWgdLK/OobI7oPZh9ahDwpBBkpIkHO3r9OZkC036rDCn5vl7IfTx1G9vo3YwdDATBgNVHSUEDDAKBggrBgEF
    BQcDATAdBgNVHREEFjAUghJwaW5uZWQuZXhhbXBsZS5vcmcwHQYDVR0OBBYEFOYTDQfWXbXOgCE1nDf24Y94GcRVMB8GA1UdIwQY
    MBaAFNVzPpVV00ORwQTY1QpFMpM1vGQnMAoGCCqGSM49BAMCA0kAMEYCIQD3Ue8nFc0An5IzAwBv1vnqa08nLfAxVxfXTURCMJa0
    GQIhAOsQExdVpgIi7J8n1qLWwJjHmTw7V03m54vzBWyhfv6q
    """

private let rootText = """
    MIIBYjCCAQegAwIBAgITA1DkiPvDSxyLK4cvq4cEOy1ZKTAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDARyb290MB4XDTI2MTEyMjEy
    MTUxNloXDTM2MTExOTEyMTUxNlowDzENMAsGA1UEAwwEcm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBOVVDkbpXQ3GB1g
    bm/hzAsNkUNzsdwcLDiQvnTO5TU/YM/Iqe1wnIscongSWUnnDsHrTooUbzgQw2r8F052TZejQjBAMA8GA1UdEwEB/wQFMAMBAf8w
    DgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBTVcz6VVdNDkcEE2NUKRTKTNbxkJzAKBggqhkjOPQQDAgNJADBGAiEA48FxgiODG6Nt
    C2GjWodj1HhR8r8dPKsfj40tvxDo1sYCIQD2J25zihOhTeT1HoK4x5OyA/bWksgLitcmrabo0NEF4g==
    """

private func certificate(_ text: String) -> SecCertificate {
    let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)!
    return SecCertificateCreateWithData(nil, data as CFData)!
}

private func makeTrust(_ certificates: [SecCertificate]) throws -> SecTrust {
    var trust: SecTrust?
    let status = SecTrustCreateWithCertificates(certificates as AnyObject, SecPolicyCreateBasicX509(), &trust)
    guard status == errSecSuccess, let trust else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    // The date is fixed, because the certificates of the tests expire.
    SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_800_000_000) as CFDate)
    return trust
}

@Sendable func checkPinnedCertificates() throws {
    let (leaf, root) = (certificate(leafText), certificate(rootText))
    let trust = try makeTrust([leaf])
    let evaluator = PublicKeysEvaluator(keys: [SecCertificateCopyKey(leaf)!], anchors: [root])
    try evaluator.evaluate(trust, forHost: "pinned.example.org")
    try expectEqual(trust.certificates.count, 2)
    try expect(trust.certificates.first === leaf)
    do {
        try evaluator.evaluate(trust, forHost: "other.example.org")
        throw Failure(description: "another host is trusted")
    } catch PinningError.evaluationFailed(let error) {
        try expectEqual(error.map { CFErrorGetCode($0) }, Int(errSecHostNameMismatch))
        try expectEqual((error as Error?)?.localizedDescription, "“leaf” certificate name does not match input")
    }
    do {
        let other = PublicKeysEvaluator(keys: [], anchors: [root])
        try other.evaluate(trust, forHost: "pinned.example.org")
        throw Failure(description: "no key is pinned")
    } catch PinningError.noPinnedKey {}

    let key = SecCertificateCopyKey(leaf)!
    var error: Unmanaged<CFError>?
    let bytes = SecKeyCopyExternalRepresentation(key, &error) as Data?
    try expectEqual(bytes?.count, 65)
    try expectEqual(SecTrustCopyKey(trust), key)

    try trust.apply(policy: SecPolicyCreateSSL(true, "other.example.org" as CFString))
    var result = SecTrustResultType.invalid
    try expectEqual(SecTrustEvaluate(trust, &result), errSecSuccess)
    switch result {
    case .recoverableTrustFailure: break
    default: throw Failure(description: "\(result)")
    }
    try expect(SecTrustSetExceptions(trust, SecTrustCopyExceptions(trust)))
    try expectEqual(SecTrustGetTrustResult(trust, &result), errSecSuccess)
    try expectEqual(result, .proceed)
    try expectEqual(SecTrustGetCertificateAtIndex(trust, 0), leaf)
}
