// SPDX-License-Identifier: Apache-2.0

import Security

/// What git says about a credential, as bytes: git's values may hold any but NUL and line breaks.
struct CredentialRequest {
    /// Apple's constant for the protocol.
    var protocolConstant: CFString?
    /// Where the credential is used, nil when git named no host.
    var host: HostAndPort?
    var path: [UInt8]?
    var username: [UInt8]?
    var secret = CredentialSecret()
    /// Whether the credential is of use only once.
    var isEphemeral = false
    /// Whether git understands `authtype` and `credential` in the answer.
    var knowsAuthenticationTypes = false

    /// The protocols that git has on a Mac, under Apple's names. Credentials for others are no business of the keychain's.
    private static var protocols: [String: CFString] {
        [
            "ftp": kSecAttrProtocolFTP,
            "ftps": kSecAttrProtocolFTPS,
            "http": kSecAttrProtocolHTTP,
            "https": kSecAttrProtocolHTTPS,
            "imap": kSecAttrProtocolIMAP,
            "imaps": kSecAttrProtocolIMAPS,
            "smtp": kSecAttrProtocolSMTP,
        ]
    }

    /// Reads a request.
    ///
    /// - Parameter lines: `key=value` each. Of a key that comes twice, the later value holds; unknown keys are passed over.
    /// - Returns: Nil for a protocol that the keychain has no name for.
    /// - Throws: `HelperFailure` for a line that is none of git's: then nothing of the request can be believed.
    init?(reading lines: some Sequence<Result<ArraySlice<UInt8>, HelperFailure>>) throws(HelperFailure) {
        for line in lines {
            let line = try line.get()
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
                throw HelperFailure("a line of the request has no '='")
            }
            let value = Array(line[(equals + 1)...])
            guard !line.contains(0) else { throw HelperFailure("a line of the request holds a NUL") }
            guard let key = String(validating: line[..<equals], as: UTF8.self) else { continue }
            if key == "protocol" {
                guard let known = Self.protocols[String(decoding: value, as: UTF8.self)] else { return nil }
                protocolConstant = known
            } else {
                try take(key, value)
            }
        }
    }

    private mutating func take(_ key: String, _ value: [UInt8]) throws(HelperFailure) {
        switch key {
        case "host": host = try HostAndPort(value)
        case "path": path = value
        case "username": username = value
        case "password": secret.password = value
        case "ephemeral": isEphemeral = !Self.isFalse(value)
        case "capability[]":
            if value.isEmpty { knowsAuthenticationTypes = false }
            if value.elementsEqual("authtype".utf8) { knowsAuthenticationTypes = true }
        default: secret.take(key, value)
        }
    }

    /// git's words for false. Whatever else is there counts as true: what may be meant for one use is not kept.
    private static func isFalse(_ value: [UInt8]) -> Bool {
        ["", "0", "false", "no", "off"].contains(String(decoding: value, as: UTF8.self).lowercased())
    }
}
