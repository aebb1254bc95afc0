// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// An item as a look-up gives it.
struct FoundEntry {
    let keychain: Keychain
    private let values: NSDictionary

    init?(_ object: Any?, in keychain: Keychain) {
        guard let values = object as? NSDictionary else { return nil }
        self.keychain = keychain
        self.values = values
    }

    /// The value under one of Apple's keys, or a four-letter code, which is the same.
    subscript(key: CFString) -> Any? { values[key] }

    /// Its lasting name.
    var reference: Data? { values[kSecValuePersistentRef] as? Data }
    /// Its data, where they were asked for.
    var data: Data? { values[kSecValueData] as? Data }
}
