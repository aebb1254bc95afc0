// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension ResultDictionary {
    /// The key for the data of an identity's certificate, in addition to that of its key. Apple's headers do not
    /// declare it.
    private static var certificateData: NSString { "certdata" }

    /// Adds the attributes that have one of the roles. The attributes of an identity's certificate override those of
    /// its key.
    mutating func addAttributes(of item: FoundItem, filter: ItemSchema.Roles, withDigest: Bool) {
        addAttributes(of: item.record, filter: filter, except: nil)
        if let key = item.privateKey {
            addAttributes(of: key, filter: filter, except: item.record)
        }
        addAccessControl(of: item.record)
        if withDigest { add(AttributeNames.name(of: .sha1), ResultData(item.record.digest)) }
    }

    /// Adds the access control. One that cannot be read is left out, because an empty one would mean that there are no
    /// conditions.
    private mutating func addAccessControl(of record: ItemRecord) {
        guard let constraints = try? record.constraints?.flags ?? [] else { return }
        add(kSecAttrAccessControl, SecAccessControl(record.accessible, constraints))
    }

    private mutating func addAttributes(of record: ItemRecord, filter: ItemSchema.Roles, except other: ItemRecord?) {
        let schema = ItemSchema.schema(of: record.itemClass)
        for (attribute, value) in record.attributes {
            guard let row = schema[attribute], row.roles.contains(filter) else { continue }
            if other?.attributes[attribute] != nil { continue }
            add(AttributeNames.name(of: attribute), value.object)
        }
    }

    /// Adds the secrets: the data, if it may be returned, and the other secret attributes.
    mutating func addSecrets(of item: FoundItem) {
        for (attribute, secret) in item.record.secrets where attribute != .valueData {
            add(AttributeNames.name(of: attribute), secret.resultData)
        }
        if let secret = item.secret { add(kSecValueData, secret.resultData) }
        guard item.privateKey != nil else { return }
        if let certificate = item.record.secrets[.valueData] { add(Self.certificateData, certificate.resultData) }
    }
}

/// The names of attributes as objects, created once, because results contain thousands of them.
private enum AttributeNames {
    // Filled once and never written again.
    private nonisolated(unsafe) static let names: [ItemAttribute: NSString] = {
        let rows = ItemClass.stored.flatMap { ItemSchema.schema(of: $0).rows }
        return Dictionary(rows.map { ($0.attribute, $0.attribute.code as NSString) }, uniquingKeysWith: { $1 })
    }()

    static func name(of attribute: ItemAttribute) -> NSString {
        names[attribute] ?? attribute.code as NSString
    }
}

extension AttributeValue {
    /// The value for a client. Numbers are never booleans: `as? Int` and `as? Bool` both work on a number.
    fileprivate var object: AnyObject {
        switch self {
        case .string(let string): string as NSString
        case .data(let data): ResultData(data)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let date): date as NSDate
        }
    }
}
