// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// What a generic password is like.
struct GenericPasswordAttributes: PasswordAttributes {
    static var itemClass: CFString { kSecClassGenericPassword }

    @Option(name: .shortJoined("a"), parsing: .unconditional, help: "Account name.")
    var account: String?

    @Option(name: .shortJoined("s"), parsing: .unconditional, help: "Service name.")
    var service: String?

    @Option(name: .shortJoined("G"), parsing: .unconditional, help: "Generic attribute.")
    var generic: String?

    @OptionGroup var common: CommonAttributes

    func attributes() throws -> [CFString: Any] {
        let given: [CFString: Any?] = [
            kSecAttrAccount: account, kSecAttrService: service, kSecAttrGeneric: generic.map { Data($0.utf8) },
        ]
        return given.compactMapValues { $0 }.merging(common.attributes) { $1 }
    }

    func primaryKey() -> [CFString: Any]? {
        guard let account, let service else { return nil }
        return [kSecAttrAccount: account, kSecAttrService: service]
    }

    var defaultLabel: String? { service }
    var accessGroup: String? { common.accessGroup?.text }
}
