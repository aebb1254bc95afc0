// SPDX-License-Identifier: Apache-2.0

/// The attributes of one class of items, and what each of them is: the table that parser, engine, stores and
/// results all read.
///
/// Source: the attribute tables of Apple's data protection keychain, as `docs/compatibility.md` lists them.
public struct ItemSchema: Sendable {
    /// One attribute of the class.
    public struct Row: Sendable {
        /// The attribute's name.
        public let attribute: ItemAttribute
        /// The type of its values.
        public let kind: AttributeKind
        /// What the attribute does.
        public let roles: Roles

        init(_ attribute: ItemAttribute, _ kind: AttributeKind, _ roles: Roles) {
            self.attribute = attribute
            self.kind = kind
            self.roles = roles
        }
    }

    /// What an attribute does in its class.
    public struct Roles: OptionSet, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Part of the primary key: two items of one class never agree in all of these.
        public static let primaryKey = Roles(rawValue: 1 << 0)
        /// Filled with ``AttributeKind/emptyValue`` on add when the caller gave none.
        public static let required = Roles(rawValue: 1 << 1)
        /// Worth an index: clients look items up by it.
        public static let indexed = Roles(rawValue: 1 << 2)
        /// A caller's value is kept. Without it a caller may name the attribute and the value is dropped.
        public static let settable = Roles(rawValue: 1 << 3)
        /// Part of the attributes that an add returns.
        public static let addResult = Roles(rawValue: 1 << 4)
        /// Part of the attributes that a look-up returns.
        public static let copyResult = Roles(rawValue: 1 << 5)
        /// Sealed and returned with the secret, not with the attributes.
        public static let secret = Roles(rawValue: 1 << 6)

        /// Kept as given and returned by add and look-up.
        static let plain: Roles = [.settable, .addResult, .copyResult]
        /// ``plain``, and part of the primary key even when absent.
        static let key: Roles = [.plain, .primaryKey, .indexed]
        /// ``key``, and filled on add.
        static let filledKey: Roles = [.key, .required]
    }

    /// The class that the table describes.
    public let itemClass: ItemClass
    /// The rows, in a fixed order: it decides the encoding of a ``PrimaryKey``, so rows are only ever appended.
    public let rows: [Row]
    /// The protection class of an item whose creator named none.
    public let defaultAccessible: Accessible

    /// The rows that make up the primary key, in the order of ``rows``.
    public let primaryKeyRows: [Row]
    /// The rows filled on add, in the order of ``rows``.
    public let requiredRows: [Row]
    /// The four-letter codes of what clients look items up by.
    package let indexedCodes: [UInt32]

    init(_ itemClass: ItemClass, defaultAccessible: Accessible, rows: [Row]) {
        self.itemClass = itemClass
        self.defaultAccessible = defaultAccessible
        self.rows = rows
        primaryKeyRows = rows.filter { $0.roles.contains(.primaryKey) }
        requiredRows = rows.filter { $0.roles.contains(.required) }
        indexedCodes = rows.filter { $0.roles.contains(.indexed) }.map(\.attribute.fourCharCode)
    }

    /// The row of that attribute, or nil when the class has no such attribute.
    public subscript(attribute: ItemAttribute) -> Row? {
        // So few that a search takes no longer than a hash.
        for row in rows where row.attribute == attribute { return row }
        return nil
    }

    /// The table of a class. An identity has the rows of certificates, then those of keys that certificates lack.
    public static func schema(of itemClass: ItemClass) -> ItemSchema {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        case .identity: identity
        }
    }
}
