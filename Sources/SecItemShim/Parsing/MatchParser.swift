import Foundation
import SecItemStore

/// Reads the `kSecMatch…` keys of a look-up.
struct MatchParser {
    private let itemClass: ItemClass
    private(set) var limit = MatchLimit.one
    private(set) var rules = MatchRules()

    init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
    }

    /// - Throws: `errSecParam` for a value of the wrong type, `errSecUnimplemented` for a rule that the class does not
    ///   have or that is not there yet. A key that Apple's keychain ignores is ignored.
    mutating func add(_ key: String, _ value: CallerValue) throws(KeychainError) {
        switch key {
        case "m_Limit": limit = try MatchLimit(parsing: value)
        case "m_HostOrSubdomainOfHost": try addHost(value)
        case "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent":
            try addCertificateRule(key, value)
        default: guard value.isPropertyList else { throw .param("\(key) has a value that is no property list") }
        }
    }

    private mutating func addHost(_ value: CallerValue) throws(KeychainError) {
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
