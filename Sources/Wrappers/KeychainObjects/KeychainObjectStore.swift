// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Objects of one type in the keychain, each found again by its reference.
///
/// ```swift
/// import KeychainObjects
///
/// struct Card: Codable, Sendable {
///     var holder: String
///     var number: String
/// }
///
/// let cards = KeychainObjectStore<Card>(service: "com.example.wallet.cards")
/// let reference = try cards.add(Card(holder: "Anna", number: "4111"))
/// ```
///
/// Objects need no name and may be equal: the reference that `add(_:)` gives is the one object's for as
/// long as it is there, through every `update(_:with:)`. Keep it wherever you like; it is no secret.
///
/// Each method comes in two forms: one that blocks until the keychain has answered, and one to `await`, which blocks no
/// thread of Swift's own while a person is asked to unlock the keychain. Any thread may call any method.
public struct KeychainObjectStore<Object: Codable & Sendable>: Sendable {
    /// What finds one object again.
    public struct Reference: Hashable, Sendable {
        /// The reference as bytes, to be kept in a file or database.
        public let data: Data

        /// A reference from bytes that were kept.
        public init(data: Data) {
            self.data = data
        }
    }

    /// An object and what finds it again.
    public struct Entry: Sendable {
        /// What finds the object again.
        public let reference: Reference
        /// The object.
        public let object: Object
    }

    private let items: ObjectItems

    /// Makes a store of the objects of one service in one access group. Two stores with the same service and group have
    /// the same objects; those of another service or group are never found, changed or removed.
    ///
    /// - Parameters:
    ///   - service: The service that the objects belong to; the store's own, as all its generic passwords are taken for
    ///     objects of this type.
    ///   - accessGroup: The access group, or nil for the one that the application's new items get: the first of
    ///     `LinuxKeychain.accessGroups`, and the application's own where none are set.
    ///   - accessibility: When the objects that are added from now on can be read.
    public init(
        service: String, accessGroup: String? = nil, accessibility: KeychainObjectAccessibility = .whenUnlocked
    ) {
        items = ObjectItems(service: service, accessGroup: accessGroup, accessibility: accessibility)
    }

    /// Adds an object, whether or not an equal one is there.
    ///
    /// - Returns: What finds it again.
    /// - Throws: ``KeychainObjectError`` with `notEncodable`, `locked`, `cancelled` or `keychain`.
    @discardableResult
    public func add(_ object: Object) throws(KeychainObjectError) -> Reference {
        Reference(data: try items.add(try ObjectCoding.data(of: object)))
    }

    /// Gives all objects, the one added first at the front.
    ///
    /// - Throws: ``KeychainObjectError`` with `locked`, `cancelled`, `keychain`, or `notDecodable` for the first object
    ///   that cannot be decoded; `references()` and `find(_:)` then reach the others.
    public func all() throws(KeychainObjectError) -> [Entry] {
        var entries: [Entry] = []
        for item in try items.all() {
            let object: Object = try ObjectCoding.object(from: item.data, at: item.reference)
            entries.append(Entry(reference: Reference(data: item.reference), object: object))
        }
        return entries
    }

    /// Gives the references of all objects, without reading any: they may be locked or of an older type.
    ///
    /// - Throws: ``KeychainObjectError`` with `keychain`; with `locked` or `cancelled` where the keychain was not unlocked
    ///   since the machine started, or the person or closure that was asked for its passphrase gave none.
    public func references() throws(KeychainObjectError) -> [Reference] {
        try items.references().map(Reference.init)
    }

    /// Gives one object.
    ///
    /// - Returns: The object, nil when it was removed or belongs to another service or access group.
    /// - Throws: ``KeychainObjectError`` with `notDecodable`, `locked`, `cancelled` or `keychain`.
    public func find(_ reference: Reference) throws(KeychainObjectError) -> Object? {
        guard let data = try items.data(at: reference.data) else { return nil }
        // Of that type: an object that is nil itself is one that was found.
        let object: Object = try ObjectCoding.object(from: data, at: reference.data)
        return object
    }

    /// Puts an object in the place of another. The reference stays.
    ///
    /// - Throws: ``KeychainObjectError`` with `notFound`, `notEncodable`, `locked`, `cancelled` or `keychain`; nothing
    ///   has changed then.
    public func update(_ reference: Reference, with object: Object) throws(KeychainObjectError) {
        try items.update(try ObjectCoding.data(of: object), at: reference.data)
    }

    /// Removes one object.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``KeychainObjectError`` with `locked`, `cancelled` or `keychain`.
    @discardableResult
    public func remove(_ reference: Reference) throws(KeychainObjectError) -> Bool {
        try items.remove(at: reference.data)
    }

    /// Removes all objects of the service in its access group. That there are none is no failure.
    ///
    /// - Throws: ``KeychainObjectError`` with `locked`, `cancelled` or `keychain`.
    public func removeAll() throws(KeychainObjectError) {
        try items.removeAll()
    }
}

extension KeychainObjectStore.Reference: Codable {
    /// Reads the bytes of a reference.
    public init(from decoder: any Decoder) throws {
        data = try decoder.singleValueContainer().decode(Data.self)
    }

    /// Writes the bytes of the reference.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}
