// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What a query means: the records of one class, or pairs of a certificate and its private key.
///
/// Look-up, update and delete all use these filters, so that a condition cannot apply in one of them and be dropped in
/// another.
enum QueryMeaning {
    /// No record at all.
    case nothing
    case records(RecordFilter)
    case identities(IdentityFilter)

    /// - Parameters:
    ///   - groups: The access groups that the application may use in this call, or nil for all.
    ///   - condition: The conditions of the query beyond equal attributes.
    init(_ query: ItemQuery, in groups: [String]?, _ condition: RecordCondition?) {
        if query.namesNoItem || query.limit.maximum == 0 {
            self = .nothing
        } else if query.itemClass == .identity {
            self = .identities(IdentityFilter(query, in: groups, condition))
        } else {
            self = .records(
                RecordFilter(
                    itemClass: query.itemClass, reference: query.reference,
                    attributes: query.conditions(on: query.itemClass), accessGroups: groups,
                    condition: condition))
        }
    }
}

/// The filters for the two halves of identities.
///
/// A look-up joins the halves. If both classes have an attribute, the query's value applies to the certificate. An
/// update or delete that names no identity and has no rule for certificates changes all matching certificates, and then
/// all matching keys, each with all conditions of the query, as on Apple's platforms.
struct IdentityFilter {
    /// The certificates that a look-up joins with the keys.
    let certificates: RecordFilter
    let keys: RecordFilter
    /// The keys for an update or delete without a reference. Its certificates are those of a look-up.
    let keysAlone: RecordFilter
    /// Whether an update or delete changes pairs, because the query names an identity or has a rule that only
    /// certificates can meet.
    let isOfPairs: Bool
    let attributes: [ItemAttribute]

    fileprivate init(_ query: ItemQuery, in groups: [String]?, _ condition: RecordCondition?) {
        certificates = RecordFilter(
            itemClass: .certificate,
            reference: query.reference.map { PersistentReference(itemClass: .certificate, uuid: $0.uuid) },
            attributes: query.conditions(on: .certificate), accessGroups: groups, condition: condition)
        let ofKeys = query.conditions(on: .key)
        let certificateSchema = ItemSchema.schema(of: .certificate)
        keys = RecordFilter(
            itemClass: .key,
            attributes: ofKeys.filter { certificateSchema[$0.key] == nil || $0.key == .tombstone },
            accessGroups: groups, condition: RecordCondition(on: .attributes) { $0.isPrivateKey })
        keysAlone = RecordFilter(
            itemClass: .key, attributes: ofKeys, accessGroups: groups, condition: condition)
        isOfPairs = query.namesIdentity || query.rules.concernCertificates
        attributes = Array(query.attributes.keys)
    }
}

extension ItemQuery {
    /// The conditions on attributes of that class, including the defaults of the query.
    fileprivate func conditions(on itemClass: ItemClass) -> [ItemAttribute: AttributeValue] {
        var conditions = attributes
        // The parser knows no attributes but those of the query's class. Those of an identity belong to one half or both.
        if itemClass != self.itemClass {
            let schema = ItemSchema.schema(of: itemClass)
            conditions = attributes.filter { schema[$0.key] != nil }
        }
        // The list of groups to search replaces it.
        conditions[.accessGroup] = nil
        switch synchronizable {
        case .localOnly: conditions[.synchronizable] = .integer(0)
        case .synchronizedOnly: conditions[.synchronizable] = .integer(1)
        case .any: conditions[.synchronizable] = nil
        }
        conditions[.tombstone] = conditions[.tombstone] ?? .integer(0)
        return conditions
    }
}

extension ItemRecord {
    fileprivate var isPrivateKey: Bool {
        attributes[.isPrivate]?.integer == 1 || attributes[.keyClass]?.integer == 1
    }
}

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
