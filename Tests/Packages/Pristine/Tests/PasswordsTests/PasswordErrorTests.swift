// SPDX-License-Identifier: Apache-2.0

import Foundation
import Passwords
import Testing

@Suite struct PasswordErrorTests {
    @Test func errorTellsTheKeychainsSentence() throws {
        let sentence = try #require(PasswordError(status: errSecDuplicateItem).errorDescription)
        #expect(sentence.contains("already"))
    }

    @Test(arguments: [(errSecInteractionNotAllowed, true), (errSecItemNotFound, false)])
    func lockedKeychainIsTemporary(status: OSStatus, isTemporary: Bool) {
        #expect(PasswordError(status: status).isTemporary == isTemporary)
    }
}
