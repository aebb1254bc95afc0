// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension MatchRules {
    /// The rules as a condition that a store can evaluate; nil if there are none.
    ///
    /// An item with constraints never meets a rule on its secrets. Otherwise a caller could find them out by trying
    /// values, because no proof is demanded before the matching items are known.
    ///
    /// - Parameter test: The test for certificates; nil if there are no rules for them.
    func condition(_ test: CertificateTest?) -> RecordCondition? {
        if host == nil && digest == nil && secrets.isEmpty && items == nil && test == nil { return nil }
        var parts: RecordParts = .attributes
        if digest != nil || !secrets.isEmpty || test != nil { parts.insert(.secrets) }
        let readsSecrets = parts.contains(.secrets)
        return RecordCondition(on: parts) { record in
            if readsSecrets && record.isConstrained { return false }
            return acceptHost(of: record) && acceptSecrets(of: record) && acceptDigest(of: record)
                && items?.contains(record) ?? true
                && test?.accepts(record.secrets[.valueData]?.data() ?? Data()) ?? true
        }
    }

    /// Whether the item's server is the host or one of its subdomains.
    private func acceptHost(of record: ItemRecord) -> Bool {
        guard let host else { return true }
        guard let server = record.attributes[.server]?.string else { return false }
        let domain = Array(".\(host)".utf8)
        return server.utf8.elementsEqual(host.utf8) || server.utf8.suffix(domain.count).elementsEqual(domain)
    }

    private func acceptSecrets(of record: ItemRecord) -> Bool {
        secrets.allSatisfy { attribute, wanted in record.secrets[attribute]?.hasSameBytes(as: wanted) ?? false }
    }

    private func acceptDigest(of record: ItemRecord) -> Bool {
        guard let digest else { return true }
        return digest == AttributeValue.data(record.digest).matchKey
    }
}
