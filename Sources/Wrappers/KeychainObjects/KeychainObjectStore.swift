// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A store for objects of one type in the keychain, where a reference identifies each object.
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
/// Objects need no name and may be equal. The reference that `add(_:)` gives identifies the one object for as long as
/// it exists, through every `update(_:with:)`. Store it anywhere; it is not a secret.
///
/// Each method has two forms. One blocks until the keychain has answered. The other is for `await`, and blocks none of
/// Swift's task threads while a person is asked to unlock the keychain. Any thread may call any method.
public struct KeychainObjectStore<Object: Codable & Sendable>: Sendable {
    /// Identifies one object.
    public struct Reference: Hashable, Sendable {
        /// The bytes of the reference, to save in a file or database.
        public let data: Data

        /// Makes a reference from saved bytes.
        public init(data: Data) {
            self.data = data
        }
    }

    /// An object and its reference.
    public struct Entry: Sendable {
        /// The reference of the object.
        public let reference: Reference
        /// The object.
        public let object: Object
    }

    private let items: ObjectItems

    /// Makes a store for the objects of one service in one access group.
    ///
    /// Two stores with the same service and group share their objects. A store never finds, changes or removes objects
    /// of another service or group.
    ///
    /// - Parameters:
    ///   - service: The service that the objects belong to. Use it for nothing else: the store takes all generic
    ///     passwords of the service for objects of this type.
    ///   - accessGroup: The access group. Nil stands for the group of the application's new items: the first of
    ///     `LinuxKeychain.accessGroups`, or the application's own group if none are set.
    ///   - accessibility: When objects added from now on can be read.
    public init(
        service: String, accessGroup: String? = nil, accessibility: KeychainObjectAccessibility = .whenUnlocked
    ) {
        items = ObjectItems(service: service, accessGroup: accessGroup, accessibility: accessibility)
    }

    /// Adds an object, even if an equal one exists.
    ///
    /// - Returns: The reference that finds it again.
    /// - Throws: ``KeychainObjectError`` with `notEncodable`, `locked`, `cancelled` or `keychain`.
    @discardableResult
    public func add(_ object: Object) throws(KeychainObjectError) -> Reference {
        Reference(data: try items.add(try ObjectCoding.data(of: object)))
    }

    /// Gives all objects in the order in which they were added.
    ///
    /// - Throws: ``KeychainObjectError`` with `locked`, `cancelled`, `keychain`, or `notDecodable` for the first object
    ///   that cannot be decoded. Use `references()` and `find(_:)` to read the others in that case.
    public func all() throws(KeychainObjectError) -> [Entry] {
        var entries: [Entry] = []
        for item in try items.all() {
            let object: Object = try ObjectCoding.object(from: item.data, at: item.reference)
            entries.append(Entry(reference: Reference(data: item.reference), object: object))
        }
        return entries
    }

    /// Gives the references of all objects without reading the objects, which may be locked or of an older type.
    ///
    /// - Throws: ``KeychainObjectError`` with `keychain`. Also with `locked` or `cancelled` if the keychain was not
    ///   unlocked since the machine started, or if the person or closure that was asked for its passphrase gave none.
    public func references() throws(KeychainObjectError) -> [Reference] {
        try items.references().map(Reference.init)
    }

    /// Gives one object.
    ///
    /// - Returns: The object. Nil if it was removed, or belongs to another service or access group.
    /// - Throws: ``KeychainObjectError`` with `notDecodable`, `locked`, `cancelled` or `keychain`.
    public func find(_ reference: Reference) throws(KeychainObjectError) -> Object? {
        guard let data = try items.data(at: reference.data) else { return nil }
        // The explicit type matters: if `Object` is optional, a stored nil is an object that was found.
        let object: Object = try ObjectCoding.object(from: data, at: reference.data)
        return object
    }

    /// Replaces an object with another one. The reference stays the same.
    ///
    /// - Throws: ``KeychainObjectError`` with `notFound`, `notEncodable`, `locked`, `cancelled` or `keychain`. Then
    ///   nothing has changed.
    public func update(_ reference: Reference, with object: Object) throws(KeychainObjectError) {
        try items.update(try ObjectCoding.data(of: object), at: reference.data)
    }

    /// Removes one object.
    ///
    /// - Returns: Whether it existed.
    /// - Throws: ``KeychainObjectError`` with `locked`, `cancelled` or `keychain`.
    @discardableResult
    public func remove(_ reference: Reference) throws(KeychainObjectError) -> Bool {
        try items.remove(at: reference.data)
    }

    /// Removes all objects of the service in its access group. Does nothing if there are none.
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
