// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What lets ``KCMutableDictionary`` be written as an initialiser: Swift's classes cannot give an object that is there
/// already, the extension of a protocol can.
public protocol KCNamedDictionary {}

extension KCMutableDictionary: KCNamedDictionary {}

extension KCNamedDictionary where Self == KCMutableDictionary {
    /// Gives the application's own dictionary, as ``KCMutableDictionary/dictionary()`` does.
    public init() {
        self = KCMutableDictionary.dictionary()
    }

    /// Gives the application's own dictionary, as ``KCMutableDictionary/dictionary()`` does.
    public init(capacity numItems: Int) {
        self = KCMutableDictionary.dictionary()
    }

    /// Gives the dictionary of a name, as ``KCMutableDictionary/dictionary(withName:)`` does: the form in which Swift
    /// imports the original.
    public init!(name: String!) {
        self = KCMutableDictionary.dictionary(withName: name)
    }
}
