import Foundation
import SecItemStore

/// Reads the `kSecMatch…` keys of a query.
struct MatchParser {
    private let itemClass: ItemClass
    /// Whether the items found are to be changed or deleted.
    private let isForChange: Bool
    /// Nil where the query does not say.
    private(set) var limit: MatchLimit?
    private(set) var rules = MatchRules()

    init(_ itemClass: ItemClass, isForChange: Bool) {
        self.itemClass = itemClass
        self.isForChange = isForChange
    }

    /// Rules that could only make a query mean more. Nothing evaluates them, and ignoring them changes nothing that is
    /// not meant.
    private static let wideningRules: Set<String> = [
        "m_CaseInsensitive", "m_DiacriticInsensitive", "m_WidthInsensitive",
    ]

    /// - Throws: `errSecParam` for a value of the wrong type, `errSecUnimplemented` for a rule that the class does not
    ///   have or that is not there yet. A key that Apple's keychain ignores is ignored in a look-up; in an update or
    ///   delete, which would then mean more items than the caller does, it is `errSecParam`, as on iOS.
    mutating func add(_ key: String, _ value: CallerValue) throws(KeychainError) {
        switch key {
        case "m_Limit", "m_HostOrSubdomainOfHost": break
        case _ where isForChange && !Self.wideningRules.contains(key):
            throw .param("\(key) is not evaluated in an update or delete")
        default: break
        }
        switch key {
        case "m_Limit": limit = try MatchLimit(parsing: value)
        case "m_HostOrSubdomainOfHost": try addHost(value)
        case "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent":
            try addCertificateRule(key, value)
        default: guard value.isPropertyList else { throw .param("\(key) has a value that is no property list") }
        }
    }

    private mutating func addHost(_ value: CallerValue) throws(KeychainError) {
        try value.requireSize(ItemRecord.greatestAttributeSize)
        guard let host = value.string else { throw .param("kSecMatchHostOrSubdomainOfHost is not text") }
        guard itemClass == .internetPassword else {
            throw .unimplemented("only internet passwords are matched by host")
        }
        rules.host = host
    }

    private func addCertificateRule(_ key: String, _ value: CallerValue) throws(KeychainError) {
        let isOfCertificates = itemClass == .certificate || itemClass == .identity
        switch (key, value) {
        // No array, no rule; and without a policy object there is no value of the right type.
        case ("m_Issuers", .array): break
        case ("m_Issuers", _): return
        case ("m_ValidOnDate", .date), ("m_ValidOnDate", .null), ("m_TrustedOnly", .boolean),
            ("m_EmailAddressIfPresent", .string):
            if !isOfCertificates || value.boolean == false { return }
        default: throw .param("\(key) has a value of the wrong type")
        }
        throw .unimplemented("\(key) is not there yet")
    }
}
