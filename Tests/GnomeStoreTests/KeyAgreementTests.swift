// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// KWallet's agreement on a session key fails about once in some hundred sessions, so this many sessions usually
    /// include a failure. An item that KWallet makes in such a session has no secret.
    @Suite(.serialized, .enabled(if: PrivateBus.provider == "kwallet", "only KWallet agrees wrongly"))
    struct KeyAgreementTests {
        private static let sessions = RandomRounds.usually(200).count

        @Test func everySession_writesTheSecretThatItWasGiven_once() throws {
            let world = try #require(PrivateBus.shared)
            let reader = world.store()
            for number in 0..<Self.sessions {
                let account = "\(number)"
                try world.store().insert(.password("agreement", account, "first"), interaction: .forbidden)
                #expect(try reader.all(.password("agreement")).map(\.text) == ["first"], "session \(number)")
                #expect(try world.store().secret(.password("agreement", account)) == "first")
                let changes = RecordChanges.secret("second")
                let count = try world.store().update(
                    matching: .password("agreement"), applying: changes, interaction: .forbidden)
                #expect(count == 1)
                #expect(try reader.all(.password("agreement")).map(\.text) == ["second"], "session \(number)")
                _ = try reader.delete(matching: .password("agreement"), interaction: .forbidden)
            }
        }
    }
}
