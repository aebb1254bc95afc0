// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Reads the `kSecMatch…` keys of a query.
struct MatchParser {
    private let itemClass: ItemClass
    /// Whether the found items will be changed or deleted.
    private let isForChange: Bool
    /// Nil if the query has no limit.
    private(set) var limit: MatchLimit?
    private(set) var rules = MatchRules()

    init(_ itemClass: ItemClass, isForChange: Bool) {
        self.itemClass = itemClass
        self.isForChange = isForChange
    }

    private var isOfCertificates: Bool { itemClass == .certificate || itemClass == .identity }

    /// The rules for the comparison of a subject's texts.
    private static let comparisons: [CallerText: String.CompareOptions] = [
        .kSecMatchCaseInsensitive: .caseInsensitive, .kSecMatchDiacriticInsensitive: .diacriticInsensitive,
        .kSecMatchWidthInsensitive: .widthInsensitive,
    ]

    /// - Throws: `errSecParam` if a value has the wrong type, `errSecUnimplemented` if the class does not have the
    ///   rule. A look-up ignores the keys that Apple's keychain ignores. An update or delete would then affect more
    ///   items than the caller wants, so there they are `errSecParam`, as on iOS.
    mutating func add(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        switch key {
        case .kSecMatchLimit: limit = try MatchLimit(parsing: value)
        case .kSecMatchHostOrSubdomainOfHost: try addHost(value)
        case .kSecMatchItemList: rules.items = try ItemList(parsing: value)
        case .kSecMatchIssuers: try addIssuers(value)
        case .kSecMatchPolicy: try addPolicy(value)
        case .kSecMatchValidOnDate, .kSecMatchTrustedOnly, .kSecMatchEmailAddressIfPresent:
            try addCertificateRule(key, value)
        case .kSecMatchSubjectContains, .kSecMatchSubjectStartsWith, .kSecMatchSubjectEndsWith,
            .kSecMatchSubjectWholeString:
            try addSubject(key, value)
        case _ where Self.comparisons[key] != nil: try addComparison(key, value)
        default: try ignore(key, value)
        }
    }

    /// Handles a rule that does not apply to the class, or is unknown.
    private func ignore(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        if isForChange { throw .param("\(key.string) is not supported in an update or delete") }
        guard value.isPropertyList else { throw .param("\(key.string) has a value that is not a property list") }
    }

    private mutating func addHost(_ value: CallerValue) throws(KeychainError) {
        try value.requireSize(ItemRecord.greatestAttributeSize)
        guard let host = value.text else { throw .param("kSecMatchHostOrSubdomainOfHost is not text") }
        guard itemClass == .internetPassword else {
            throw .unimplemented("only internet passwords are matched by host")
        }
        rules.host = host.string
    }

    // MARK: Certificates

    /// A name that cannot be read matches no certificate. An empty list is no rule, as in TLS.
    private mutating func addIssuers(_ value: CallerValue) throws(KeychainError) {
        guard case .array(let array) = value else { return try ignore(.kSecMatchIssuers, value) }
        if isForChange, !isOfCertificates || array.count == 0 { return try ignore(.kSecMatchIssuers, value) }
        guard isOfCertificates else { throw .unimplemented("only certificates and identities have issuers") }
        if array.count == 0 { return }
        rules.certificate.issuers = Set(
            array.callerElements.compactMap { element in
                (element as? NSData).flatMap { DistinguishedName(parsing: $0.copiedData)?.normalized }
            })
    }

    private mutating func addPolicy(_ value: CallerValue) throws(KeychainError) {
        guard case .object(let object) = value, let policy = object as? SecPolicy else {
            throw .param("kSecMatchPolicy is not a SecPolicy")
        }
        if isForChange, !isOfCertificates { return try ignore(.kSecMatchPolicy, value) }
        guard isOfCertificates else { throw .unimplemented("only certificates and identities have policies") }
        rules.certificate.policy = policy
    }

    private mutating func addCertificateRule(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        if isForChange, !isOfCertificates { return try ignore(key, value) }
        try value.requireSize(ItemRecord.greatestAttributeSize)
        switch (key, value) {
        // NaN would be within every period: `Date` takes `a <= b` for `!(b < a)`.
        case (.kSecMatchValidOnDate, .date(let date)) where !date.timeIntervalSinceReferenceDate.isNaN:
            rules.certificate.date = date
        case (.kSecMatchValidOnDate, .null): rules.certificate.date = Date()
        case (.kSecMatchTrustedOnly, .boolean(let isTrusted)): rules.certificate.isTrusted = isTrusted
        case (.kSecMatchEmailAddressIfPresent, .string(let email)): rules.certificate.email = email.string
        default: throw .param("\(key.string) has a value of the wrong type")
        }
        // Other classes have none of these attributes. Apple's keychain ignores the rules for them.
        if !isOfCertificates { rules.certificate = CertificateRules() }
    }

    private mutating func addSubject(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        guard isOfCertificates else { return try ignore(key, value) }
        try value.requireSize(ItemRecord.greatestAttributeSize)
        guard let text = value.text?.string else { throw .param("\(key.string) is not text") }
        switch key {
        case .kSecMatchSubjectStartsWith: rules.certificate.subject.append(.startsWith(text))
        case .kSecMatchSubjectEndsWith: rules.certificate.subject.append(.endsWith(text))
        case .kSecMatchSubjectWholeString: rules.certificate.subject.append(.isExactly(text))
        default: rules.certificate.subject.append(.contains(text))
        }
    }

    /// Reads how subjects are compared. For other classes this is ignored: it could only make a query match more items.
    private mutating func addComparison(_ key: CallerText, _ value: CallerValue) throws(KeychainError) {
        guard isOfCertificates else {
            guard value.isPropertyList else { throw .param("\(key.string) has a value that is not a property list") }
            return
        }
        guard let isOn = value.boolean else { throw .param("\(key.string) is not a boolean") }
        if isOn { rules.certificate.subjectOptions.formUnion(Self.comparisons[key] ?? []) }
    }
}

extension ItemList {
    /// - Throws: `errSecParam` for anything but an array of keys, certificates, identities and persistent references.
    fileprivate init(parsing value: CallerValue) throws(KeychainError) {
        guard case .array(let array) = value else { throw .param("kSecMatchItemList is not an array") }
        self.init()
        for element in array.callerElements {
            let element = element.map { CallerValue($0) } ?? .missing
            guard case .data = element else {
                add(try LiveValue(element))
                continue
            }
            guard let reference = PersistentReferenceValue(element) else {
                throw .param("kSecMatchItemList holds data that is not a persistent reference")
            }
            // A reference in the old form names no item here.
            if let item = reference.item { add(item) }
        }
    }
}

extension MatchLimit {
    /// - Throws: `errSecParam` if the value is neither one of the two constants nor a whole number.
    init(parsing value: CallerValue) throws(KeychainError) {
        switch value {
        case .string(.kSecMatchLimitOne): self = .one
        case .string(.kSecMatchLimitAll): self = .all
        case .integer(1): self = .one
        case .integer(-1): self = .all
        // Apple's row loop stops after the first row for any other negative number.
        case .integer(let number): self.init(maximum: number < 0 ? 1 : Int(number), isSingle: false)
        default: throw .param("kSecMatchLimit is neither one of its constants nor a whole number")
        }
    }
}
