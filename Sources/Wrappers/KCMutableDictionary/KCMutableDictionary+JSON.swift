// SPDX-License-Identifier: Apache-2.0

import Foundation

// Foundation on Linux takes a subclass of a dictionary for an empty one where it makes Swift's dictionary of it. Its JSON
// writer does, and so would write an empty object.

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
