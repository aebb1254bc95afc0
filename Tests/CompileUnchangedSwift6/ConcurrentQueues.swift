// SPDX-License-Identifier: Apache-2.0

// A lock and queues around the calls, and completion handlers.

import Foundation
import Security

private final class QueuedKeychain: @unchecked Sendable {
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "keychain", attributes: .concurrent)
    private var lastResultCode: OSStatus = noErr

    func set(_ value: Data, forKey key: String, completion: @escaping @Sendable (OSStatus) -> Void) {
        queue.async(flags: .barrier) { [self] in
            lock.lock()
            defer { lock.unlock() }
            let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: key]
            SecItemDelete(query as CFDictionary)
            lastResultCode = SecItemAdd(
                query.merging([kSecValueData as String: value]) { $1 } as CFDictionary, nil)
            completion(lastResultCode)
        }
    }

    func data(forKey key: String) -> Data? {
        queue.sync {
            var result: AnyObject?
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: key,
                kSecReturnData as String: kCFBooleanTrue as Any,
            ]
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return status == noErr ? result as? Data : nil
        }
    }
}

@Sendable func checkConcurrentQueues() async throws {
    let keychain = QueuedKeychain()
    let group = DispatchGroup()
    for number in 0..<20 {
        group.enter()
        DispatchQueue.global(qos: .userInitiated).async {
            keychain.set(Data("\(number)".utf8), forKey: "key \(number % 5)") { _ in group.leave() }
            _ = keychain.data(forKey: "key \(number % 5)")
        }
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
    for number in 0..<5 { try expect(keychain.data(forKey: "key \(number)") != nil) }
}
