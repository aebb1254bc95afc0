// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// A client that imports nothing but `Security`: the names of Foundation behind the signatures come with it.
@Suite struct SecurityOnlyTests {
    @Test func query_isMadeAndRead_withoutImportingFoundation() {
        let query = [kSecClass as String: kSecClassKey, kSecValueData as String: Data([1])] as CFDictionary
        let result: CFTypeRef = query
        #expect((result as? [String: Any])?[kSecValueData as String] as? Data == Data([1]))
    }
}
