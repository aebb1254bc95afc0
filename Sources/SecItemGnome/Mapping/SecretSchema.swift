// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The form of one class's items on the Secret Service. All other code in this folder uses this table.
///
/// Attributes that other programs read and search for have their own names here. Every other attribute is stored under
/// its code with ``prefix``, so that nothing is lost and no names clash.
struct SecretSchema: Sendable {
    let itemClass: ItemClass
    /// The value of `xdg:schema`, by which programs tell kinds of items apart.
    let name: String
    /// The names of the attributes that other programs know.
    let names: [ItemAttribute: String]
    /// Those of them whose values other programs spell differently from Apple's constants.
    let spellings: [ItemAttribute: Spelling]
    /// Those of them that select other programs' items too: a query that names one of them also matches those items.
    let naturalAttributes: Set<ItemAttribute>
    /// The attribute that a query must name before a change affects other programs' items.
    let ownerAttribute: ItemAttribute?

    private let attributesByName: [String: ItemAttribute]

    private init(
        _ itemClass: ItemClass,
        name: String,
        names: [ItemAttribute: String] = [:],
        spellings: [ItemAttribute: Spelling] = [:],
        naturalAttributes: Set<ItemAttribute> = [],
        ownerAttribute: ItemAttribute? = nil
    ) {
        self.itemClass = itemClass
        self.name = name
        self.names = names
        self.spellings = spellings
        self.naturalAttributes = naturalAttributes
        self.ownerAttribute = ownerAttribute
        attributesByName = Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// The prefix of attributes that only this library uses.
    static let prefix = "secitem:"
    /// The attribute with the item's UUID. It marks an item of this library.
    static let identifierName = prefix + "id"
    static let className = prefix + "class"
    /// The attribute for what texts cannot express: see ``ValueTypes``.
    static let typesName = prefix + "types"
    /// The attribute of items whose secrets are fetched one by one.
    static let largeName = prefix + "large"
    /// The attribute of items whose secrets are encoded: see ``SecItemStore/Secret/written``. For other programs; this
    /// library relies on the secret alone.
    static let encodingName = prefix + "encoding"
    /// The attribute by which libsecret and the providers identify an item's schema.
    static let schemaName = "xdg:schema"

    /// The name under which an attribute is kept.
    func name(of attribute: ItemAttribute) -> String {
        names[attribute] ?? Self.prefix + attribute.code
    }

    /// The attribute that is stored under that name, or nil for a name of another program.
    func attribute(named name: String) -> ItemAttribute? {
        if let attribute = attributesByName[name] { return attribute }
        guard name.utf8.starts(with: Self.prefix.utf8) else { return nil }
        return ItemAttribute(code: String(decoding: name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self))
    }

    /// The schema of a class. Identities have none, because stores never receive them.
    static func schema(of itemClass: ItemClass) -> SecretSchema {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .key: key
        case .certificate, .identity: certificate
        }
    }

    // swift-format-ignore
    /// The names that `secret-tool`, Python's keyring, keyring-rs and Go's keyring libraries use.
    private static let genericPassword = SecretSchema(
        .genericPassword,
        name: "secitem.GenericPassword",
        names: [
            .service: "service",
            .account: "username",
        ],
        naturalAttributes: [.service, .account],
        ownerAttribute: .service
    )

    // swift-format-ignore
    /// libsecret's schema for network passwords, as git's credential helper uses it.
    private static let internetPassword = SecretSchema(
        .internetPassword,
        name: "org.gnome.keyring.NetworkPassword",
        names: [
            .account:            "user",
            .server:             "server",
            .securityDomain:     "domain",
            .protocol:           "protocol",
            .port:               "port",
            .path:               "object",
            .authenticationType: "authtype",
        ],
        spellings: [
            .protocol: Spelling([
                "htps": "https", "ftp ": "ftp",   "ssh ": "ssh",    "smb ": "smb",  "afp ": "afp",     "irc ": "irc",
                "imps": "imaps", "pops": "pop3s", "ldps": "ldaps",  "ntps": "nntps", "teln": "telnet", "tels": "telnets",
                "ipp ": "ipp",   "sox ": "socks",
            ]),
            .authenticationType: Spelling(["http": "basic", "httd": "digest"]),
        ],
        naturalAttributes: [.server, .account],
        ownerAttribute: .server
    )

    private static let certificate = SecretSchema(.certificate, name: "secitem.Certificate")
    private static let key = SecretSchema(.key, name: "secitem.Key")
}

/// Words that Apple's constants and other programs spell differently.
struct Spelling: Sendable {
    private let theirs: [String: String]
    private let ours: [String: String]

    init(_ pairs: [String: String]) {
        theirs = pairs
        ours = Dictionary(uniqueKeysWithValues: pairs.map { ($0.value, $0.key) })
    }

    /// Another program's word for ours.
    subscript(theirs word: String) -> String? { theirs[word] }

    /// Our word for another program's.
    subscript(ours word: String) -> String? { ours[word] }
}
