// SPDX-License-Identifier: Apache-2.0

/// A host as git names it, with the port if the address has one.
struct HostAndPort: Equatable {
    let server: [UInt8]
    /// Zero if no port was named, as in an item without a port.
    let port: UInt16

    /// - Throws: `HelperFailure` if the text after the last colon is neither empty nor a port from 1 to 65535. Ignoring
    ///   it would select another server.
    init(_ host: [UInt8]) throws(HelperFailure) {
        let colon = UInt8(ascii: ":")
        guard let last = host.lastIndex(of: colon), !Self.isBareAddress(host) else {
            server = host
            port = 0
            return
        }
        let digits = host[(last + 1)...]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = digits.isEmpty ? 0 : UInt16(String(decoding: digits, as: UTF8.self)),
            digits.isEmpty || number != 0
        else { throw HelperFailure("the port of the host is no number from 1 to 65535") }
        server = Array(host[..<last])
        port = number
    }

    /// Whether all colons belong to an IPv6 address: the text ends with a bracket, or it has several colons and no
    /// brackets.
    private static func isBareAddress(_ host: [UInt8]) -> Bool {
        if host.first == UInt8(ascii: "[") { return host.last == UInt8(ascii: "]") }
        return host.count { $0 == UInt8(ascii: ":") } > 1
    }
}
