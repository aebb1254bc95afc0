// SPDX-License-Identifier: Apache-2.0

import Vault
import XCTest

@objc(EXVaultTests)
final class VaultTests: XCTestCase {
    @objc private final class Listener: NSObject, VaultDelegate {
        private(set) var accounts: [String] = []

        func vault(_ vault: Vault, didChange account: String) { accounts.append(account) }
    }

    private let vault = Vault(service: "org.example.vault.tests")

    func testPasswordIsStoredReplacedAndRemoved() throws {
        try vault.set("one", for: "anna")
        try vault.set("two", for: "anna")
        XCTAssertEqual(try vault.password(for: "anna"), "two")
        try vault.remove("anna")
        XCTAssertEqual(try vault.password(for: "anna"), "")
    }

    func testDelegateIsToldAndHeldWeakly() throws {
        var listener: Listener? = Listener()
        vault.delegate = listener
        try vault.set("one", for: "bert")
        try vault.remove("bert")
        XCTAssertEqual(listener?.accounts, ["bert", "bert"])
        listener = nil
        XCTAssertNil(vault.delegate)
    }

    func testFailureOfALockedKeychain() {
        XCTAssertEqual(vault.lastFailure(for: errSecInteractionNotAllowed), .locked)
        XCTAssertEqual(vault.lastFailure(for: errSecItemNotFound), .other)
    }
}
