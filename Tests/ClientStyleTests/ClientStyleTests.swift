// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Clients written for Apple's platforms, built as separate programs that import only `Security` and Foundation. The
/// build itself shows that they compile in both language modes.
@Suite struct ClientStyleTests {
    @Test(arguments: ["ClientStyleSwift5", "ClientStyleSwift6", "ClientWithOwnNames"])
    func client_unchanged_works(_ name: String) throws {
        let output = try Program.built(name, adding: ["SECITEM_STORE": "memory"]).output()
        #expect(output == "all clients work\n", "\(name)")
    }
}
