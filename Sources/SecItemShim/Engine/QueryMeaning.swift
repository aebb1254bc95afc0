import SecItemStore

/// What a query means: the records of one class, or pairs of a certificate and its private key.
///
/// The only place where a query becomes filters. Look-up, update and delete act on what comes out of here and on nothing
/// else, so that a condition cannot hold in one of them and be dropped in another.
enum QueryMeaning {
    /// No record at all.
    case nothing
    case records(RecordFilter)
    case identities(IdentityFilter)

    /// - Parameter groups: The access groups that the application may use for the call, or nil for all.
    init(_ query: ItemQuery, in groups: [String]?) {
        if query.limit.maximum == 0 {
            self = .nothing
        } else if query.itemClass == .identity {
            self = .identities(IdentityFilter(query, in: groups))
        } else {
            self = .records(
                RecordFilter(
                    itemClass: query.itemClass, reference: query.reference,
                    attributes: query.conditions(on: query.itemClass), accessGroups: groups,
                    condition: query.rules.condition))
        }
    }
}

/// The two halves of the identities that a query means.
///
/// A look-up joins them, and takes an attribute that both classes have for the certificate's. An update or delete without a
/// reference, as on Apple's, is one of certificates and then one of keys, each with everything that the query says.
struct IdentityFilter {
    /// The certificates that a look-up joins with the keys.
    let certificates: RecordFilter
    let keys: RecordFilter
    /// The keys that an update or delete without a reference means. Its certificates are those of a look-up.
    let keysAlone: RecordFilter
    /// Whether the query names one identity.
    let isNamed: Bool
    /// The attributes that the query names.
    let attributes: [ItemAttribute]

    init(_ query: ItemQuery, in groups: [String]?) {
        certificates = RecordFilter(
            itemClass: .certificate,
            reference: query.reference.map { PersistentReference(itemClass: .certificate, uuid: $0.uuid) },
            attributes: query.conditions(on: .certificate), accessGroups: groups, condition: query.rules.condition)
        let ofKeys = query.conditions(on: .key)
        let certificateSchema = ItemSchema.schema(of: .certificate)
        keys = RecordFilter(
            itemClass: .key,
            attributes: ofKeys.filter { certificateSchema[$0.key] == nil || $0.key == .tombstone },
            accessGroups: groups, condition: RecordCondition(on: .attributes) { $0.isPrivateKey })
        keysAlone = RecordFilter(
            itemClass: .key, attributes: ofKeys, accessGroups: groups, condition: query.rules.condition)
        isNamed = query.reference != nil
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
