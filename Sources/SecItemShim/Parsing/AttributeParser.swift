// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Collects the attributes of one dictionary, checked against the table of a class.
struct AttributeParser {
    private let schema: ItemSchema
    private(set) var attributes: [ItemAttribute: AttributeValue] = [:]
    private(set) var secrets: [ItemAttribute: Secret] = [:]
    private(set) var synchronizable: SynchronizableScope?
    /// The conditions beyond the protection class, once they are resolved; nil for none.
    private(set) var constraints: AccessConstraints.Flags?
    private var accessControl: SecAccessControl?

    init(_ itemClass: ItemClass) {
        schema = ItemSchema.schema(of: itemClass)
    }

    /// - Throws: `errSecNoSuchAttr` if the class has no such attribute, `errSecParam` if the type of the value is
    ///   wrong, `errSecDataTooLarge` for more than 1 MiB.
    mutating func add(_ attribute: ItemAttribute, _ value: CallerValue) throws(KeychainError) {
        if attribute == .accessControl { return try addAccessControl(value) }
        guard let row = schema[attribute] else { throw .noSuchAttr("the class has no attribute '\(attribute.code)'") }
        if attribute == .synchronizable { return try addSynchronizable(value) }
        try value.requireSize(ItemRecord.greatestAttributeSize)
        if row.roles.contains(.secret), case .data(let data) = value {
            secrets[attribute] = Secret(data)
            return
        }
        let coerced = try attribute == .issuer ? .issuer(value) : AttributeValue(value, as: row.kind)
        if row.roles.contains(.secret), case .data(let data) = coerced {
            secrets[attribute] = Secret(data)
        } else {
            attributes[attribute] = coerced
        }
        if attribute == .accessible { try checkAccessible(coerced) }
    }

    /// Reads `kSecValueData`.
    ///
    /// - Throws: `errSecParam` for anything but data, `errSecDataTooLarge` for more than 16 MiB.
    mutating func addValueData(_ value: CallerValue) throws(KeychainError) {
        guard case .data(let data) = value else { throw .param("kSecValueData is not data") }
        try value.requireSize(ItemRecord.greatestSecretSize)
        secrets[.valueData] = Secret(data)
    }

    // MARK: Live objects

    /// Adds the attributes of a new item for a live object. The caller's attributes take precedence; data does not.
    ///
    /// - Throws: `errSecParam` if the caller gave data too, or permits what the object forbids.
    mutating func add(itemOf live: LiveObject) throws(KeychainError) {
        guard secrets[.valueData] == nil else { throw .param("kSecValueRef and kSecValueData exclude each other") }
        guard !attributes.contains(where: { live.permissions.isContradicted(by: $1, of: $0) }) else {
            throw .param("an attribute permits what the key forbids")
        }
        attributes.merge(live.attributes) { own, _ in own }
        secrets[.valueData] = live.data
    }

    /// Adds the attributes that identify the items of a live object.
    ///
    /// - Throws: `errSecParam` if the caller gave other values.
    mutating func add(identityOf live: LiveValue) throws(KeychainError) {
        for (attribute, value) in live.identity {
            if let own = attributes[attribute], own.matchKey != value.matchKey {
                throw .param("kSecValueRef and an attribute contradict each other")
            }
            attributes[attribute] = value
        }
    }

    /// Checks that `kSecAttrTokenID` names the chip exactly if the key is in the chip. A key stored as bytes would be
    /// less safe than its owner believes.
    ///
    /// - Throws: `errSecUnimplemented` if it names the chip and the key is not there; `errSecParam` if it does not name
    ///   the chip of a chip's key, or if that key should be synchronized.
    func requireToken(ofChip isOfChip: Bool) throws(KeychainError) {
        guard (attributes[.tokenID]?.isChip == true) == isOfChip else {
            if isOfChip { throw .param("the key is in the chip, but kSecAttrTokenID does not say so") }
            throw .unimplemented("kSecAttrTokenID names the chip, but the key is not in it")
        }
        if isOfChip && synchronizable == .synchronizedOnly { throw .param("a key of the chip cannot be synchronized") }
    }

    // MARK: Synchronizable

    private mutating func addSynchronizable(_ value: CallerValue) throws(KeychainError) {
        guard let scope = SynchronizableScope(value) else {
            throw .param("kSecAttrSynchronizable is not a truth value")
        }
        synchronizable = scope
        if scope != .any { attributes[.synchronizable] = .integer(scope == .synchronizedOnly ? 1 : 0) }
    }

    // MARK: Protection

    private func checkAccessible(_ value: AttributeValue) throws(KeychainError) {
        guard let accessible = value.string.flatMap({ Accessible(CallerText($0)) }) else {
            throw .param("kSecAttrAccessible is not one of its constants")
        }
        if let accessControl { try check(accessControl, agreesWith: accessible) }
    }

    private mutating func addAccessControl(_ value: CallerValue) throws(KeychainError) {
        guard case .object(let object) = value, let control = object as? SecAccessControl else {
            throw .param("kSecAttrAccessControl is not a SecAccessControl")
        }
        accessControl = control
        if let accessible = attributes[.accessible]?.string.flatMap({ Accessible(CallerText($0)) }) {
            try check(control, agreesWith: accessible)
        }
    }

    private func check(_ control: SecAccessControl, agreesWith accessible: Accessible) throws(KeychainError) {
        guard !control.hasConstraints, control.protection == accessible.rawValue else {
            throw .param("kSecAttrAccessible and kSecAttrAccessControl contradict each other")
        }
    }

    /// Resolves the protection to store: an access control becomes its protection class and conditions.
    ///
    /// - Parameter isOfChip: Whether the item is a key of the chip, the only one that can have "private key usage".
    /// - Throws: `errSecParam` for conditions on a synchronized item; `errSecAuthFailed` for "private key usage" on any
    ///   other item; `errSecUnimplemented` for a key of the chip that demands a proof; `errSecNotAvailable` for
    ///   conditions without a proof.
    mutating func resolveAccessControl(ofChip isOfChip: Bool = false) throws(KeychainError) {
        guard let accessControl else { return }
        if accessControl.hasConstraints {
            if synchronizable == .synchronizedOnly { throw .param("a synchronized item cannot have constraints") }
            // It permits to use a key, and to seal or open nothing. Only the data of a chip's key needs neither.
            if accessControl.flags.contains(.privateKeyUsage), !isOfChip {
                throw KeychainError(
                    errSecAuthFailed, "only a key of the chip can have the access control privateKeyUsage")
            }
            if accessControl.requiresAuthentication, isOfChip {
                throw .unimplemented("a key of the TPM cannot demand a proof of presence or a password")
            }
            guard accessControl.requiresAuthentication || isOfChip && accessControl.flags == .privateKeyUsage else {
                throw .notAvailable("this access control demands no proof")
            }
            constraints = accessControl.constraints
        }
        attributes[.accessible] = .string(accessControl.protection)
    }
}

extension SynchronizableScope {
    /// The meaning of a value of `kSecAttrSynchronizable`, or nil if it is neither a truth value nor "any".
    init?(_ value: CallerValue) {
        switch value {
        case .string(.kSecAttrSynchronizableAny): self = .any
        case .boolean(let isOn): self.init(isOn)
        case .integer(let number): self.init(number != 0)
        case .real(let number): self.init(number != 0)
        case .string(let text):
            guard text.utf8.count <= 64, let number = Int32(text.string) else { return nil }
            self.init(number != 0)
        default: return nil
        }
    }

    private init(_ isSynchronizable: Bool) {
        self = isSynchronizable ? .synchronizedOnly : .localOnly
    }
}

extension Secret {
    /// A secret with a copy of the bytes that a caller gave.
    convenience init(_ data: NSData) {
        self.init(copying: UnsafeRawBufferPointer(start: data.bytes, count: data.length))
    }
}

extension AttributeValue {
    /// Whether it names the Secure Enclave, which the machine's chip replaces.
    var isChip: Bool { string.map { CallerText($0) } == .kSecAttrTokenIDSecureEnclave }
}
