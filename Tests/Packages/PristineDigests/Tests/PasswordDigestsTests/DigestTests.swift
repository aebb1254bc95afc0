// SPDX-License-Identifier: Apache-2.0

import PasswordDigests
import Passwords
import XCTest

final class DigestTests: XCTestCase {
    func testDigestIsThatOfThePassword() throws {
        let store = PasswordStore(service: "org.example.passwords.digests")
        XCTAssertNil(try store.digest(for: "anna"))
        try store.set("abc", for: "anna")
        defer { try? store.removePassword(for: "anna") }
        XCTAssertEqual(
            try store.digest(for: "anna"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
