// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// What a query means, for look-up, update and delete alike.
    ///
    /// - Parameter groups: The access groups that the application may use for the call, or nil for all.
    /// - Throws: `errSecUnimplemented` for a rule that needs OpenSSL where it is not there; what the store throws.
    func meaning(of query: ItemQuery, in groups: [String]?) throws(KeychainError) -> QueryMeaning {
        QueryMeaning(query, in: groups, query.rules.condition(try certificateTest(for: query)))
    }

    /// Certificates are judged with the help of all that the application can read, whatever else the query says.
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
