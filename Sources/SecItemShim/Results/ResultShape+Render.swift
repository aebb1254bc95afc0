// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension ResultShape {
    /// The result of a look-up, or nil if Apple's keychain does not change the caller's variable.
    func render(_ items: [FoundItem]) -> CFTypeRef? {
        if isArray { return ResultArray(items.filter(hasResult), of: self) }
        return items.first.flatMap { render($0, filter: .copyResult) }
    }

    func element(for item: FoundItem) -> AnyObject? { render(item, filter: .copyResult) }

    func render(added item: FoundItem) -> CFTypeRef? {
        // A look-up of the data of an item without data gives nothing; an add gives empty data.
        if kinds == .data { return item.secret?.resultData ?? ResultData(Data()) }
        return render(item, filter: .addResult)
    }

    /// Whether ``render(_:filter:)`` returns a value.
    private func hasResult(_ item: FoundItem) -> Bool {
        switch kinds {
        case []: false
        case .data: item.secret != nil
        case .reference: item.live != nil
        default: true
        }
    }

    private func render(_ item: FoundItem, filter: ItemSchema.Roles) -> AnyObject? {
        switch kinds {
        case []: nil
        case .data: item.secret?.resultData
        case .persistentReference: item.persistentReference
        // A password has no live form: the call succeeds without a result.
        case .reference: item.live
        default: dictionary(of: item, filter: filter)
        }
    }

    /// An add has the digest without opening anything. A look-up returns it only together with the data, and not
    /// together with a reference.
    private var includesDigest: Bool { kinds.contains(.data) && !kinds.contains(.reference) }

    private func dictionary(of item: FoundItem, filter: ItemSchema.Roles) -> NSDictionary {
        var builder = ResultDictionary()
        if includesAttributes {
            builder.addAttributes(of: item, filter: filter, withDigest: filter == .addResult || includesDigest)
        }
        if kinds.contains(.data) { builder.addSecrets(of: item) }
        if kinds.contains(.persistentReference) { builder.add(kSecValuePersistentRef, item.persistentReference) }
        if kinds.contains(.reference) { builder.add(kSecClass, item.itemClass.rawValue as NSString) }
        if let live = item.live { builder.add(kSecValueRef, live) }
        return builder.dictionary
    }
}

extension FoundItem {
    var itemClass: ItemClass { privateKey == nil ? record.itemClass : .identity }

    /// The value for `kSecReturnData`. For an identity, it is the data of the key. Nil for a key that may not be
    /// exported.
    var secret: Secret? { mayLeave ? (privateKey ?? record).secrets[.valueData] : nil }

    /// The reference of an identity is that of its certificate.
    var persistentReference: NSData {
        ResultData(PersistentReference(itemClass: itemClass, uuid: record.reference.uuid).data)
    }
}
