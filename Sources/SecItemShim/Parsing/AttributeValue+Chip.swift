// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension AttributeValue {
    /// Whether it names the Secure Enclave, which the machine's chip replaces.
    var isChip: Bool { string.map { CallerText($0) } == .kSecAttrTokenIDSecureEnclave }
}
