// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim
import SecItemStore

/// How much of a password that was found is shown.
struct PasswordOutput: ParsableArguments {
    @Flag(name: .customShort("g"), help: "Display the password for the item found.")
    var showsPassword = false

    @Flag(name: .customShort("w"), help: "Display only the password on standard output.")
    var onlyPassword = false

    /// Finds an item and shows it: its attributes on standard output, its password with `-g` on standard error.
    func find(_ search: ItemSearch, in keychains: [String]) throws {
        var search = search
        search.wantsData = showsPassword || onlyPassword
        let entry = try search.first(in: KeychainList.names(keychains))
        let password = entry.data ?? Data()
        if onlyPassword { return Console.write(Self.line(password)) }
        let itemClass = search.query[kSecClass] as? CFString ?? ""
        Console.write(AttributeDump.text(of: entry, itemClass: itemClass))
        if showsPassword { Console.error("password: " + PrintedBytes.text(password)) }
    }

    /// The password and a line break; in hexadecimal when not all of it is ASCII that can be printed.
    private static func line(_ password: Data) -> [UInt8] {
        let isPrintable = password.allSatisfy { (0x20...0x7e).contains($0) }
        return (isPrintable ? Array(password) : Array(password.hexadecimal.utf8)) + [0x0a]
    }
}
