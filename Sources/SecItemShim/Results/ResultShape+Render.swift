// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension ResultShape {
    /// The result of a look-up, or nil where Apple's keychain leaves the caller's variable alone.
    func render(_ items: [FoundItem]) -> CFTypeRef? {
        if isArray { return ResultArray(items.filter(hasResult), of: self) }
        return items.first.flatMap { render($0, filter: .copyResult) }
    }

    /// What an item gives of which there is something to give.
    func element(for item: FoundItem) -> AnyObject? { render(item, filter: .copyResult) }

    /// The result of an add.
    func render(added item: FoundItem) -> CFTypeRef? {
        // A look-up of data on an item without any gives nothing; an add gives empty data.
        if kinds == .data { return item.secret?.resultData ?? ResultData(Data()) }
        return render(item, filter: .addResult)
    }

    /// Whether ``render(_:filter:)`` gives something.
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
        // A password has no live form: success, and no result.
        case .reference: item.live
        default: dictionary(of: item, filter: filter)
        }
    }

    /// An add knows the digest without opening anything; a look-up tells it only beside the data it covers, and not
    /// beside a reference.
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

    /// What `kSecReturnData` gives: an identity's is that of its key. Nil for a key that may not leave.
    var secret: Secret? { mayLeave ? (privateKey ?? record).secrets[.valueData] : nil }

    /// An identity is named by its certificate.
    var persistentReference: NSData {
        ResultData(PersistentReference(itemClass: itemClass, uuid: record.reference.uuid).data)
    }
}
