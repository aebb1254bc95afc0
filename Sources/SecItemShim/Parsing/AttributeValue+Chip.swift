// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension AttributeValue {
    /// Whether it names the Secure Enclave, whose place the chip of the machine takes.
    var isChip: Bool { string.map { CallerText($0) } == .kSecAttrTokenIDSecureEnclave }
}
