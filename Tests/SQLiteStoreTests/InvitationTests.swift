// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

@testable import SecItemSealing

/// The token with which a machine joins a fleet.
@Suite struct InvitationTests {
    @Test func token_givesItsInvitationBack_withSpaceAroundIt() throws {
        for _ in 0..<100 {
            let invitation = try Invitation()
            let text = try #require(String(validating: invitation.token.data(), as: UTF8.self))
            for spelling in [text, " \n\t\(text)\r\n"] {
                #expect(try Invitation(token: Secret(Data(spelling.utf8))).id == invitation.id)
            }
        }
    }

    /// Whatever byte of a token is another one, is missing or is there twice, nobody takes it for a token.
    @Test func token_thatWasMistyped_isNone() throws {
        let token = try Invitation().token.data()
        var wrong = [Data(), token + token, token.dropLast(), token + Data("=".utf8)]
        for index in token.indices {
            for letter in "AB-_z0=\u{0}".utf8 where letter != token[index] {
                wrong.append(token[..<index] + [letter] + token[(index + 1)...])
            }
            wrong.append(token[..<index] + token[(index + 1)...])
            wrong.append(token[..<index] + [token[index]] + token[index...])
        }
        for bytes in wrong {
            let error = #expect(throws: StoreError.self) { try Invitation(token: Secret(Data(bytes))) }
            #expect(error?.code == .unrepresentable, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
