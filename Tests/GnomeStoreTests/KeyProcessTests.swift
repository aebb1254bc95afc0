// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension OnARealService {
    /// Keys that one process makes and other processes find and use.
    @Suite(.serialized) struct KeyProcessTests {
        private func probe(_ arguments: String...) throws -> [String] {
            let bus = try #require(PrivateBus.shared)
            let own = ["SECITEM_STORE": "secret-service", "SECITEM_APPLICATION_IDENTIFIER": "org.example.keys"]
            let variables = bus.environment.merging(own) { $1 }
            return try Program.built("KeychainProbe", arguments, adding: variables).run().lines
        }

        @Test func keysOfOneProcess_signAndVerifyInOthers() throws {
            let made = try probe("make-keys", "curve", "org.example.curve")
            try #require(made.count == 3, "\(made)")
            for (way, ofPrivate, ofPublic) in [
                ("tag", "org.example.curve", "org.example.curve"), ("label", made[0], made[0]),
                ("reference", made[1], made[2]),
            ] {
                let signed = try probe("sign", way, ofPrivate)
                try #require(signed.count == 2, "\(way): \(signed)")
                #expect(signed[1] == "kept")
                #expect(try probe("verify", way, ofPublic, signed[0]) == ["true"])
                #expect(try probe("verify", way, ofPublic, String(signed[0].reversed())) == ["false"])
            }
        }
    }
}
