import Foundation
import SecItemStore

/// One item that a query found. An identity has a key beside its certificate.
struct FoundItem {
    let record: ItemRecord
    var privateKey: ItemRecord?
    /// The object that `kSecReturnRef` gives, where it was asked for.
    var live: AnyObject?

    init(_ record: ItemRecord, privateKey: ItemRecord? = nil) {
        self.record = record
        self.privateKey = privateKey
    }
}

extension KeychainEngine {
    /// Finds the items that a query means.
    ///
    /// - Throws: `errSecItemNotFound` when there are none, `errSecInteractionNotAllowed` when one is locked.
    func copyMatching(_ query: ItemQuery) throws(KeychainError) -> [FoundItem] {
        let groups = try application.readableGroups(naming: query.accessGroup)
        let found =
            query.itemClass == .identity
            ? try identities(matching: query, in: groups) : try records(matching: query, in: groups)
        if found.isEmpty { throw .itemNotFound() }
        return query.wantsLiveObjects ? try withLiveObjects(found) : found
    }

    private func records(matching query: ItemQuery, in groups: [String]?) throws(KeychainError) -> [FoundItem] {
        if query.limit.maximum == 0 { return [] }
        let parts = query.parts
        let storeLimit = query.rules.isEmpty ? query.limit.maximum : nil
        let records = try asking { () throws(StoreError) in
            try store.records(
                matching: query.filter(in: groups), parts: parts, limit: storeLimit, interaction: query.interaction
            )
        }
        if query.rules.isEmpty { return records.map { FoundItem($0) } }
        return records.filter(query.rules.accept).prefix(query.limit.maximum ?? .max).map { FoundItem($0) }
    }

    /// The items that can be had as objects. The others are left out, as damaged ones are.
    ///
    /// - Throws: When there is none, why the first is none.
    private func withLiveObjects(_ items: [FoundItem]) throws(KeychainError) -> [FoundItem] {
        var failure: KeychainError?
        var alive = [FoundItem]()
        for item in items {
            do throws(KeychainError) {
                var item = item
                item.live = try item.liveObject()
                alive.append(item)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure, alive.isEmpty { throw failure }
        return alive
    }
}

extension ItemQuery {
    /// The part of the query that a store evaluates.
    func filter(in groups: [String]?) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: reference, attributes: storedAttributes(of: itemClass),
            accessGroups: groups
        )
    }

    /// The attributes that items of that class must have, the engine's own conditions included.
    func storedAttributes(of itemClass: ItemClass) -> [ItemAttribute: AttributeValue] {
        let schema = ItemSchema.schema(of: itemClass)
        var conditions = attributes.filter { schema[$0.key] != nil }
        conditions[.accessGroup] = nil
        conditions[.sha1] = nil
        switch synchronizable {
        case .localOnly: conditions[.synchronizable] = .integer(0)
        case .synchronizedOnly: conditions[.synchronizable] = .integer(1)
        case .any: conditions[.synchronizable] = nil
        }
        conditions[.tombstone] = conditions[.tombstone] ?? .integer(0)
        return conditions
    }

    /// Passwords have no live form, on Apple's either.
    var wantsLiveObjects: Bool { kinds.contains(.reference) && itemClass.hasLiveForm }

    /// What of each record the result and the rules need.
    var parts: RecordParts {
        var parts: RecordParts = []
        if kinds.contains(.data) || rules.digest != nil || wantsLiveObjects { parts.insert(.secrets) }
        if wantsLiveObjects { parts.insert(.attributes) }
        if shape.includesAttributes || !rules.isEmpty { parts.insert(.attributes) }
        return parts
    }
}

extension ItemClass {
    var hasLiveForm: Bool {
        switch self {
        case .genericPassword, .internetPassword: false
        case .certificate, .key, .identity: true
        }
    }
}
