// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension AttributeValue {
    /// A caller's value of `kSecAttrIssuer`: a whole name in DER becomes what items of certificates have, which is the
    /// normalized name without the sequence around it. Other bytes are kept as they are.
    ///
    /// - Throws: `errSecParam` for anything but data.
    static func issuer(_ value: CallerValue) throws(KeychainError) -> AttributeValue {
        guard case .data(let data) = value else { throw .param("kSecAttrIssuer is not data") }
        let bytes = data.copiedData
        return .data(DistinguishedName(parsing: bytes)?.normalizedContent ?? bytes)
    }
}
