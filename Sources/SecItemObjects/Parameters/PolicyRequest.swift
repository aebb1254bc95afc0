// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A caller's identifier and properties for a policy to make.
struct PolicyRequest {
    private let identifier: String
    private var names: [String]?
    private var isClient: Bool
    private var revocation: CFOptionFlags?

    /// - Throws: `errSecParam` if the identifier is not text, or a property has the wrong type.
    init(_ identifier: CFTypeRef, _ properties: NSDictionary?) throws(KeychainError) {
        guard let identifier = CallerValue(identifier).text?.string else {
            throw .param("the policy's identifier is not text")
        }
        self.identifier = identifier
        isClient = PolicyFamily(identifier)?.isClient(identifier) ?? false
        guard let properties else { return }
        let dictionary = try CallerDictionary(properties)
        if let name = dictionary[.kSecPolicyName] { names = try Self.names(name) }
        if let client = dictionary[.kSecPolicyClient] { isClient = try Self.truth(client) }
        if let flags = dictionary[.kSecPolicyRevocationFlags] {
            guard case .integer(let flags) = flags else { throw .param("kSecPolicyRevocationFlags is not a number") }
            revocation = CFOptionFlags(truncatingIfNeeded: flags)
        }
    }

    private static func names(_ value: CallerValue) throws(KeychainError) -> [String] {
        switch value {
        case .string(let name): return [name.string]
        case .array(let array):
            let names = array.callerElements.compactMap { $0.map { CallerValue($0) }?.text?.string }
            if !names.isEmpty, names.count == array.count { return names }
        default: break
        }
        throw .param("kSecPolicyName is neither a string nor an array of strings")
    }

    private static func truth(_ value: CallerValue) throws(KeychainError) -> Bool {
        switch value {
        case .boolean(let isTrue): return isTrue
        case .integer(let number) where number == 0 || number == 1: return number == 1
        default: throw .param("kSecPolicyClient is not a truth value")
        }
    }

    /// The policy.
    ///
    /// - Throws: `errSecParam` if the policy is not supported, or has several names where only one is allowed.
    var policy: SecPolicy {
        get throws(KeychainError) {
            let revocation = revocation ?? 0
            if let family = PolicyFamily(identifier) {
                if family.identifier != kSecPolicyAppleEAP { _ = try name }
                return tlsPolicy(family.identifier, isServer: !isClient, hosts: names, revocation: revocation)
            }
            var rules = TrustRules()
            rules.revocation = revocation
            switch identifier as CFString {
            case kSecPolicyAppleX509Basic: break
            case kSecPolicyAppleRevocation:
                let flags = self.revocation ?? kSecRevocationUseAnyAvailableMethod
                guard let policy = SecPolicyCreateRevocation(flags) else {
                    throw .param("no kSecRevocation flag is set")
                }
                return policy
            case kSecPolicyAppleSMIME:
                rules.purposes = [.mail, .any]
                rules.keyUsages = [.digitalSignature, .keyEncipherment, .dataEncipherment, .keyAgreement]
                rules.email = try name
            case kSecPolicyAppleCodeSigning:
                rules.require(.code)
                rules.keyUsages = .signatures
                rules.requiresKeyUsage = true
            case kSecPolicyAppleTimeStamping:
                rules.require(.timeStamping)
                rules.isOnlyPurpose = true
                rules.keyUsages = .signatures
            default: throw .param("this policy is not supported")
            }
            return SecPolicy(identifier as CFString, rules)
        }
    }

    /// The name, if only one is allowed.
    private var name: String? {
        get throws(KeychainError) {
            guard let names else { return nil }
            guard names.count == 1 else { throw .param("kSecPolicyName has several names") }
            return names[0]
        }
    }
}

extension TrustRules {
    fileprivate mutating func require(_ purpose: CertificatePurposes) {
        purposes = purpose
        requiresPurpose = true
    }
}
