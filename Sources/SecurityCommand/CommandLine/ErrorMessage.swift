// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim

/// `error`: what a status means.
struct ErrorMessage: SplitCommand {
    static let configuration = CommandConfiguration(
        commandName: "error", abstract: "Display a descriptive message for the given error code(s).")

    /// Codes begin with dashes.
    static let rules = SplitArguments.Rules(hasOnlyOperands: true)

    @Argument(help: "Error codes, decimal or hexadecimal: -25300, 0xFFFF9D2C.")
    var codes: [String]

    func run() throws {
        for code in codes {
            guard let status = Self.status(code) else { throw CommandFailure.usage("an argument is not an error code") }
            let hexadecimal = String(UInt32(bitPattern: status), radix: 16, uppercase: true)
            let number = String(repeating: "0", count: 8 - hexadecimal.count) + hexadecimal
            Console.write("Error: 0x\(number) \(status) \(StatusMessage.text(status))\n")
        }
    }

    private static func status(_ text: String) -> OSStatus? {
        guard text.lowercased().hasPrefix("0x") else { return OSStatus(text) }
        return UInt32(text.dropFirst(2), radix: 16).map { OSStatus(bitPattern: $0) }
    }
}
