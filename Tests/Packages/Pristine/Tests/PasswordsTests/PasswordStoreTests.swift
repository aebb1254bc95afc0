// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Passwords
import XCTest

final class PasswordStoreTests: XCTestCase {
    private let store = PasswordStore(service: "org.example.passwords.tests")

    override func tearDownWithError() throws {
        for account in try store.accounts().keys { try store.removePassword(for: account) }
    }

    func testPasswordIsStoredReplacedAndRemoved() throws {
        XCTAssertNil(try store.password(for: "anna"))
        try store.set("correct horse", for: "anna")
        XCTAssertEqual(try store.password(for: "anna"), "correct horse")
        try store.set("battery staple", for: "anna")
        XCTAssertEqual(try store.password(for: "anna"), "battery staple")
        try store.removePassword(for: "anna")
        XCTAssertNil(try store.password(for: "anna"))
    }

    func testAccountsAreListedWithTheirAccessibility() throws {
        try store.set("one", for: "anna", accessible: .afterFirstUnlock)
        try store.set("two", for: "bert", accessible: .whenUnlockedThisDeviceOnly)
        XCTAssertEqual(try store.accounts(), ["anna": .afterFirstUnlock, "bert": .whenUnlockedThisDeviceOnly])
    }

    func testNobodyIsAsked() throws {
        XCTAssertFalse(PasswordStore.canAsk(LAContext()))
        try store.set("three", for: "anna")
        XCTAssertEqual(try store.passwordWithoutAsking(for: "anna"), "three")
    }
}
