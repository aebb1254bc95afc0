// SPDX-License-Identifier: Apache-2.0

/// The table of one class's attributes. The parser, the engine, the stores and the results all read it.
///
/// Source: the attribute tables of Apple's data protection keychain, as `docs/compatibility.md` lists them.
public struct ItemSchema: Sendable {
    /// One attribute of the class.
    public struct Row: Sendable {
        /// The attribute's name.
        public let attribute: ItemAttribute
        /// The type of its values.
        public let kind: AttributeKind
        /// The roles of the attribute.
        public let roles: Roles
        /// Whether the attribute can decide a look-up: it is part of the primary key, required or indexed, and no secret.
        package let isDecisive: Bool

        init(_ attribute: ItemAttribute, _ kind: AttributeKind, _ roles: Roles) {
            self.attribute = attribute
            self.kind = kind
            self.roles = roles
            isDecisive = !roles.isDisjoint(with: [.primaryKey, .required, .indexed]) && !roles.contains(.secret)
        }
    }

    /// The roles that an attribute can have in its class.
    public struct Roles: OptionSet, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Part of the primary key: no two items of one class have the same values in all of these attributes.
        public static let primaryKey = Roles(rawValue: 1 << 0)
        /// Set to ``AttributeKind/emptyValue`` on add if the caller gave no value.
        public static let required = Roles(rawValue: 1 << 1)
        /// Clients look items up by it, so an index is useful.
        public static let indexed = Roles(rawValue: 1 << 2)
        /// The caller can set it. Without this role, a caller may name the attribute, but its value is dropped.
        public static let settable = Roles(rawValue: 1 << 3)
        /// Included in the attributes that an add returns.
        public static let addResult = Roles(rawValue: 1 << 4)
        /// Included in the attributes that a look-up returns.
        public static let copyResult = Roles(rawValue: 1 << 5)
        /// Sealed and returned as a secret, not as an ordinary attribute.
        public static let secret = Roles(rawValue: 1 << 6)

        /// Stored as given, and returned by add and look-up.
        static let plain: Roles = [.settable, .addResult, .copyResult]
        /// As ``plain``, and part of the primary key even if absent.
        static let key: Roles = [.plain, .primaryKey, .indexed]
        /// As ``key``, and filled on add.
        static let filledKey: Roles = [.key, .required]
    }

    /// The class that the table describes.
    public let itemClass: ItemClass
    /// The rows. Their order decides the encoding of a ``PrimaryKey``, so new rows are only ever appended.
    public let rows: [Row]
    /// The protection class of an item whose creator gave none.
    public let defaultAccessible: Accessible

    /// The rows that make up the primary key, in the order of ``rows``.
    public let primaryKeyRows: [Row]
    /// The rows filled on add, in the order of ``rows``.
    public let requiredRows: [Row]
    /// The four-letter codes of the attributes that clients look items up by.
    package let indexedCodes: [UInt32]

    init(_ itemClass: ItemClass, defaultAccessible: Accessible, rows: [Row]) {
        self.itemClass = itemClass
        self.defaultAccessible = defaultAccessible
        self.rows = rows
        primaryKeyRows = rows.filter { $0.roles.contains(.primaryKey) }
        requiredRows = rows.filter { $0.roles.contains(.required) }
        indexedCodes = rows.filter { $0.roles.contains(.indexed) }.map(\.attribute.fourCharCode)
    }

    /// The row of that attribute, or nil if the class has no such attribute.
    public subscript(attribute: ItemAttribute) -> Row? {
        // With so few rows, a search is as fast as a hash.
        for row in rows where row.attribute == attribute { return row }
        return nil
    }

    /// The table of a class. An identity has the rows of certificates, followed by those rows of keys that certificates
    /// lack.
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
