// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// What an internet password is like.
struct InternetPasswordAttributes: PasswordAttributes {
    static var itemClass: CFString { kSecClassInternetPassword }

    @Option(name: .shortJoined("a"), parsing: .unconditional, help: "Account name.")
    var account: String?

    @Option(name: .shortJoined("s"), parsing: .unconditional, help: "Server name.")
    var server: String?

    @Option(name: .shortJoined("d"), parsing: .unconditional, help: "Security domain.")
    var securityDomain: String?

    @Option(name: .shortJoined("p"), parsing: .unconditional, help: "Path.")
    var path: String?

    @Option(name: .shortJoined("P"), parsing: .unconditional, help: "Port number.")
    var port: UInt16?

    @Option(
        name: .shortJoined("r"), parsing: .unconditional,
        help: "Protocol (four-character code, for example \"http\", \"ftp \").",
        transform: FourCharacterCode.init(argument:))
    var networkProtocol: FourCharacterCode?

    @Option(
        name: .shortJoined("t"), parsing: .unconditional,
        help: "Authentication type (four-character code; \"dflt\" for a new item).",
        transform: FourCharacterCode.init(argument:))
    var authenticationType: FourCharacterCode?

    @OptionGroup var common: CommonAttributes

    func attributes() throws -> [CFString: Any] {
        let given: [CFString: Any?] = [
            kSecAttrAccount: account, kSecAttrServer: server, kSecAttrSecurityDomain: securityDomain,
            kSecAttrPath: path, kSecAttrPort: port.map { Int($0) }, kSecAttrProtocol: networkProtocol?.text,
            kSecAttrAuthenticationType: authenticationType?.text,
        ]
        return given.compactMapValues { $0 }.merging(common.attributes) { $1 }
    }

    /// Parts that are not given are empty parts of the key.
    func primaryKey() -> [CFString: Any]? {
        guard let account, let server else { return nil }
        return [
            kSecAttrAccount: account, kSecAttrServer: server, kSecAttrSecurityDomain: securityDomain ?? "",
            kSecAttrPath: path ?? "", kSecAttrPort: Int(port ?? 0), kSecAttrProtocol: networkProtocol?.text ?? 0,
            kSecAttrAuthenticationType: authenticationType?.text ?? "dflt",
        ]
    }

    var defaultLabel: String? { server }
    var accessGroup: String? { common.accessGroup?.text }
}
