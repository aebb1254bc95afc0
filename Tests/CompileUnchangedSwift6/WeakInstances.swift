// SPDX-License-Identifier: Apache-2.0

// Instances that are shared as long as something holds them, in an `NSMapTable`.

import Foundation
import Security

private final class Valuables: Sendable {
    let service: String

    private init(_ service: String) { self.service = service }

    nonisolated(unsafe) private static let instances = NSMapTable<NSString, Valuables>.strongToWeakObjects()
    private static let lock = NSLock()

    static func valuables(_ service: String) -> Valuables {
        lock.withLock {
            if let existing = instances.object(forKey: service as NSString) { return existing }
            let new = Valuables(service)
            instances.setObject(new, forKey: service as NSString)
            return new
        }
    }

    func canAccessKeychain() -> Bool {
        let canary: [String: AnyHashable] = [
            kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: service,
            kSecAttrAccount as String: "canary", kSecValueData as String: Data("canary".utf8),
        ]
        let status = SecItemAdd(canary as CFDictionary, nil)
        return status == errSecSuccess || status == errSecDuplicateItem
    }
}

@Sendable func checkWeakInstances() throws {
    var first: Valuables? = .valuables("one")
    try expect(first === Valuables.valuables("one"))
    try expect(Valuables.valuables("two") !== first)
    try expect(first?.canAccessKeychain() == true)
    try expect(first?.canAccessKeychain() == true)
    weak let gone = first
    first = nil
    try expect(gone == nil)
}
