// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes a random password that a person can read aloud and type: `hTn-4Kd-vWs-Rz8`.
///
/// Four groups of three letters and digits, without those that are easily taken for another (`0 O o`, `1 I i l`), and
/// with at least one capital, one small letter and one digit, as many sites ask for. Chosen by the system's secure
/// generator; a guesser faces some 67 bits.
///
/// - Returns: The password. Never nil.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    var generator = SystemRandomNumberGenerator()
    var characters: [Character]
    repeat {
        // Drawing the whole again, and not mending a single place, keeps every permitted password equally likely.
        characters = (0..<12).map { _ in
            unambiguous[Int.random(in: unambiguous.indices, using: &generator)]
        }
    } while !hasEveryKind(characters)
    let groups = stride(from: 0, to: characters.count, by: 3).map { String(characters[$0..<$0 + 3]) }
    return NSString(string: groups.joined(separator: "-"))
}

private let unambiguous = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")

private func hasEveryKind(_ characters: [Character]) -> Bool {
    characters.contains(where: \.isUppercase) && characters.contains(where: \.isLowercase)
        && characters.contains(where: \.isNumber)
}
