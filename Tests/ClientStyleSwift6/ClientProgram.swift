// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Uses the clients as their apps would, and prints what failed.
@main
struct ClientProgram {
    struct Account: Codable, Equatable {
        let name: String
        let token: Data
    }

    static func main() async throws {
        try samplePasswords()
        try await modernStore()
        try references()
        try protection()
        try errors()
        print("all clients work")
    }

    private static func expect(_ condition: Bool, _ what: String, line: Int = #line) {
        guard !condition else { return }
        print("line \(line): \(what)")
        exit(1)
    }

    private static func samplePasswords() throws {
        var item = PasswordItem(service: "sample", account: "anna")
        do {
            _ = try item.readPassword()
            expect(false, "a password from nowhere")
        } catch PasswordItem.PasswordError.noPassword {
        }
        try item.savePassword("first")
        try item.savePassword("second")
        expect(try item.readPassword() == "second", "the password was not updated")
        try item.renameAccount("bert")
        expect(try item.readPassword() == "second", "the renamed account lost its password")
        expect(try PasswordItem.passwordItems(forService: "sample").map(\.account) == ["bert"], "the accounts")
        try item.deleteItem()
        try item.deleteItem()
        expect(try PasswordItem.passwordItems(forService: "sample").isEmpty, "the item was not deleted")
    }

    private static func modernStore() async throws {
        let store = SecureStore(service: "modern")
        let anna = Account(name: "anna", token: Data([0, 1, 2]))
        try await store.set(anna, for: "anna")
        try await store.set(["list"], for: "other")
        try await store.set(anna, for: "anna")
        let found = try await store.get(Account.self, for: "anna")
        expect(found == anna, "the account came back different")
        let missing = try await store.get(Account.self, for: "nobody")
        expect(missing == nil, "an account from nowhere")
        let accounts = try await store.all().keys.sorted()
        expect(accounts == ["anna", "other"], "the accounts")
        try await store.removeAll()
        try await store.removeAll()
        let rest = try await store.all()
        expect(rest.isEmpty, "not everything was removed")
    }

    private static func references() throws {
        guard let reference = ReferencedItems.add(Data("object".utf8), label: "object") else {
            return expect(false, "no reference")
        }
        expect(ReferencedItems.data(reference) == Data("object".utf8), "the object came back different")
        expect(ReferencedItems.delete(reference), "the object was not deleted")
        expect(ReferencedItems.data(reference) == nil, "the object is still there")
    }

    private static func protection() throws {
        let control = try Protection.control([])
        expect(Protection.isAccessControl(control), "the type of an access control")
        do {
            _ = try Protection.control([.or, .and])
            expect(false, "a contradictory access control")
        } catch let error as NSError {
            expect(error.domain == NSOSStatusErrorDomain && error.code == Int(errSecParam), "the error \(error)")
        }
        expect(Protection.randomBytes(32)?.count == 32, "random bytes")
    }

    private static func errors() throws {
        let status = SecItemDelete([:] as CFDictionary)
        expect(status == errSecParam, "the status \(status)")
        expect(StoreFailure(status: status).errorDescription?.isEmpty == false, "a text")
        expect(StoreFailure(status: status).asNSError.code == -50, "an error")
        if let text: CFString = SecCopyErrorMessageString(errSecDuplicateItem, nil) {
            expect((text as String).count > 0, "a text")
        }
    }
}
