// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// A client that imports only `Security`, which also provides the Foundation names in its signatures.
@Suite struct SecurityOnlyTests {
    @Test func query_isMadeAndRead_withoutImportingFoundation() {
        let query = [kSecClass as String: kSecClassKey, kSecValueData as String: Data([1])] as CFDictionary
        let result: CFTypeRef = query
        #expect((result as? [String: Any])?[kSecValueData as String] as? Data == Data([1]))
    }
}
