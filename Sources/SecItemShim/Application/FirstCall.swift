// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What the first call of a process makes that there is one of: tables, loggers, what the surroundings say, and what
/// Swift itself makes when code runs for the first time.
enum FirstCall {
    /// Makes all of it. See ``FirstUse``.
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

    /// The four calls on an item that nobody sees: that uses the tables of the parsers and of the results, and makes what Swift
    /// needs on the way from a call to its store.
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
