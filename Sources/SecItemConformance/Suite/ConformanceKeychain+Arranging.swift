import Foundation
import SecItemShim

// What cases do before the call that they are about.
extension ConformanceKeychain {
    /// Adds a generic password of the service "service" with the secret, and with what else is said of it.
    func addPassword(
        _ account: String, _ more: [CFString: Any] = [:], file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
            kSecValueData: secret,
        ]
        let all = item.merging(more) { _, given in given }
        try expect(add(all as CFDictionary), errSecSuccess, "add of \(account):", file: file, line: line)
    }

    /// What an add that has to succeed returns as its persistent reference.
    func addForReference(
        _ attributes: CFDictionary, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Data {
        var result: CFTypeRef?
        try expect(add(attributes.with(kSecReturnPersistentRef, true), &result), file: file, line: line)
        return try expectValue(result as? Data, "a persistent reference", file: file, line: line)
    }

    /// The accounts of all generic passwords that the application sees, in alphabetical order.
    func accounts(file: StaticString = #fileID, line: UInt = #line) throws -> [String] {
        try items(file: file, line: line).compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }
}
