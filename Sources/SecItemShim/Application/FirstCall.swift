// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Creates everything of which a process has one, at its first call: tables, loggers, the surroundings, and what
/// Swift's runtime creates when code runs for the first time.
enum FirstCall {
    /// Creates all of it. See ``FirstUse``.
    static func rehearse(before store: DefaultStore) {
        _ = SecureExecution.environment
        _ = store.application
        KeychainCalls.prepareLogger()
        _ = statusDescription(errSecParam)
        for itemClass in ItemClass.allCases { _ = ItemSchema.schema(of: itemClass) }
        ResultArray.prepare()
        prepareStores()
        callAll()
    }

    /// Makes the four calls on an item that nobody sees. This creates the tables of parsing and results, and everything
    /// that Swift needs on the way from a call to its store.
    private static func callAll() {
        let store = DefaultStore { [:] }
        store.setApplication(identifier: "rehearsal")
        store.use(.inMemory)
        let calls = store.calls
        let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "account"] as [CFString: Any]
        let all: [CFString: Any] = [
            kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true,
            kSecMatchLimit: kSecMatchLimitAll, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
        ]
        var result: CFTypeRef?
        _ = calls.add(item.merging([kSecValueData: Data("data".utf8)]) { $1 } as CFDictionary, &result)
        _ = calls.copyMatching(item.merging(all) { $1 } as CFDictionary, &result)
        _ = (result as? NSArray)?.firstObject
        _ = calls.update(item as CFDictionary, [kSecAttrLabel: "label"] as CFDictionary)
        _ = calls.delete(item as CFDictionary)
    }
}
