// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemClass {
    /// The name of one item of the class, for a person.
    var singular: String { words.one }

    /// The name of the class's items, for a person.
    package var plural: String { words.several }

    private var words: (one: String, several: String) {
        switch self {
        case .genericPassword: ("generic password", "generic passwords")
        case .internetPassword: ("internet password", "internet passwords")
        case .certificate: ("certificate", "certificates")
        case .key: ("key", "keys")
        case .identity: ("identity", "identities")
        }
    }
}
