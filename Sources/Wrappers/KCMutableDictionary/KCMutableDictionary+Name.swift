// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Provides the initialisers of ``KCMutableDictionary`` that give an existing object. Initialisers of a Swift class
/// cannot do that; those in an extension of a protocol can.
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

    /// Gives the dictionary of a name, as ``KCMutableDictionary/dictionary(withName:)`` does. Swift imports the
    /// original in this form.
    public init!(name: String!) {
        self = KCMutableDictionary.dictionary(withName: name)
    }
}
