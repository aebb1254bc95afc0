// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Joins certificates with their private keys: the hash of the certificate's public key is the key's label.
    func identities(
        _ filter: IdentityFilter, _ parts: RecordParts, _ interaction: Interaction
    ) throws(KeychainError) -> [FoundItem] {
        let parts = parts.union(.attributes)
        let certificates = try records(filter.certificates, parts, interaction)
        if certificates.isEmpty { return [] }
        let keys = try records(filter.keys, parts, interaction)
        let keysByLabel = Dictionary(
            keys.compactMap { key in key.attributes[.applicationLabel].map { ($0.matchKey, key) } },
            uniquingKeysWith: { first, _ in first }
        )
        return certificates.compactMap { certificate -> FoundItem? in
            guard let hash = certificate.attributes[.publicKeyHash]?.matchKey else { return nil }
            return keysByLabel[hash].map { FoundItem(certificate, privateKey: $0) }
        }
    }
}
