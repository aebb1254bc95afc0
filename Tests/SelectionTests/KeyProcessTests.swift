// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Keys that one process makes and other processes find and use.
@Suite(.timeLimit(.minutes(60))) struct KeyProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] {
        [
            "HOME": folder.path, "SECITEM_DIRECTORY": folder.path + "/store",
            "SECITEM_APPLICATION_IDENTIFIER": "keys",
        ]
    }

    @Test(arguments: ["curve", "rsa"]) func keysOfOneProcess_signAndVerifyInOthers(_ type: String) throws {
        let made = try Probe("make-keys", type, "org.example.\(type)", environment: environment).lines
        try #require(made.count == 3, "\(made)")
        for (way, ofPrivate, ofPublic) in [
            ("tag", "org.example.\(type)", "org.example.\(type)"), ("label", made[0], made[0]),
            ("reference", made[1], made[2]),
        ] {
            let signed = try Probe("sign", way, ofPrivate, environment: environment).lines
            try #require(signed.count == 2, "\(way): \(signed)")
            #expect(signed[1] == "kept")
            #expect(try Probe("verify", way, ofPublic, signed[0], environment: environment).lines == ["true"])
            let other = String(signed[0].reversed())
            #expect(try Probe("verify", way, ofPublic, other, environment: environment).lines == ["false"])
        }
    }
}
