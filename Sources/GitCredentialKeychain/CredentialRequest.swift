// SPDX-License-Identifier: Apache-2.0

import Security

/// Git's description of a credential. Values are bytes, because git's values may hold any bytes except NUL and line
/// breaks.
struct CredentialRequest {
    /// Apple's constant for the protocol.
    var protocolConstant: CFString?
    /// The host that uses the credential; nil if git named none.
    var host: HostAndPort?
    var path: [UInt8]?
    var username: [UInt8]?
    var secret = CredentialSecret()
    /// Whether the credential can be used only once.
    var isEphemeral = false
    /// Whether git understands `authtype` and `credential` in the answer.
    var knowsAuthenticationTypes = false

    /// The protocols that git uses on a Mac, with Apple's constants. The helper ignores all other protocols.
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
    /// - Parameter lines: Lines of the form `key=value`. If a key occurs twice, the later value counts. Unknown keys
    ///   are ignored.
    /// - Returns: Nil for a protocol without a constant.
    /// - Throws: `HelperFailure` for an invalid line. Then the whole request is invalid.
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

    /// Git's words for false. Everything else counts as true, so that a credential that may be for one use is not
    /// stored.
    private static func isFalse(_ value: [UInt8]) -> Bool {
        ["", "0", "false", "no", "off"].contains(String(decoding: value, as: UTF8.self).lowercased())
    }
}
