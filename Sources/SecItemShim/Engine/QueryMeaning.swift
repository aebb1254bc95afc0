// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a query means: the records of one class, or pairs of a certificate and its private key.
///
/// Look-up, update and delete take their filters from here, so that a condition cannot hold in one of them and be dropped
/// in another.
enum QueryMeaning {
    /// No record at all.
    case nothing
    case records(RecordFilter)
    case identities(IdentityFilter)

    /// - Parameters:
    ///   - groups: The access groups that the application may use for the call, or nil for all.
    ///   - condition: What the query says beyond equalities.
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

/// The two halves of the identities that a query means.
///
/// A look-up joins them, and takes an attribute that both classes have for the certificate's. An update or delete that names
/// no identity and says nothing of certificates alone, as on Apple's, is one of certificates and then one of keys, each with everything that the query says.
struct IdentityFilter {
    /// The certificates that a look-up joins with the keys.
    let certificates: RecordFilter
    let keys: RecordFilter
    /// The keys that an update or delete without a reference means. Its certificates are those of a look-up.
    let keysAlone: RecordFilter
    /// Whether an update or delete is one of those pairs: the query names an identity, or says something that only a
    /// certificate can satisfy.
    let isOfPairs: Bool
    /// The attributes that the query names.
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
    /// The attributes that items of that class must have, what the query leaves unsaid included.
    fileprivate func conditions(on itemClass: ItemClass) -> [ItemAttribute: AttributeValue] {
        let schema = ItemSchema.schema(of: itemClass)
        var conditions = attributes.filter { schema[$0.key] != nil }
        // The groups that may be searched stand for it.
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
