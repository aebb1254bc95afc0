// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes a random password that a person can read aloud and type: `hTn-4Kd-vWs-Rz8`.
///
/// It has four groups of three letters and digits, without the characters that look alike (`0 O o`, `1 I i l`). It
/// contains at least one capital letter, one small letter and one digit, as many sites require. The system's secure
/// generator chooses the characters; the password has about 69 bits of entropy.
///
/// - Returns: The password. Never nil.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    var generator = SystemRandomNumberGenerator()
    var characters: [Character]
    repeat {
        // A new draw of all characters, rather than a repair of one place, keeps every permitted password equally
        // likely.
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
