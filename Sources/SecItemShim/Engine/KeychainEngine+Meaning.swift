// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// What a query means, in the same way for look-up, update and delete.
    ///
    /// - Parameter groups: The access groups that the application may use in this call, or nil for all.
    /// - Throws: `errSecUnimplemented` if a rule needs OpenSSL and it is missing; the errors of the store.
    func meaning(of query: ItemQuery, in groups: [String]?) throws(KeychainError) -> QueryMeaning {
        QueryMeaning(query, in: groups, query.rules.condition(try certificateTest(for: query)))
    }

    /// All certificates that the application can read help to evaluate a certificate, whatever else the query says.
    private func certificateTest(for query: ItemQuery) throws(KeychainError) -> CertificateTest? {
        let rules = query.rules.certificate
        if rules.isEmpty { return nil }
        guard rules.needsTrust || rules.issuers != nil else { return try CertificateTest(rules, among: []) }
        let all = RecordFilter(
            itemClass: .certificate, attributes: [.tombstone: .integer(0)],
            accessGroups: try application.readableGroups(naming: nil))
        let known = try records(all, [.attributes, .secrets], query.interaction).compactMap { record in
            record.isConstrained ? nil : try? SecCertificate(record.secrets[.valueData]?.data() ?? Data())
        }
        return try CertificateTest(rules, among: known)
    }
}
