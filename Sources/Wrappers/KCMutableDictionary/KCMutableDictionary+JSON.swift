// SPDX-License-Identifier: Apache-2.0

import Foundation

// When Foundation on Linux bridges a subclass of a dictionary to Swift's dictionary, it takes it for an empty one. Its
// JSON writer does this, and would write an empty object.

extension JSONSerialization {
    /// Writes the entries of a dictionary of the keychain as JSON.
    public class func data(
        withJSONObject dictionary: KCMutableDictionary, options: WritingOptions = []
    ) throws -> Data {
        try data(withJSONObject: dictionary.copy(), options: options)
    }

    /// Whether the entries of a dictionary of the keychain can be written as JSON.
    public class func isValidJSONObject(_ dictionary: KCMutableDictionary) -> Bool {
        isValidJSONObject(dictionary.copy())
    }
}
