// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The two items of a saved right: a generic password with its secret, and a private key. Both have the access control of
/// its requirement.
///
/// The password names the key, so it decides whether there is a right: a key without it belongs to a save that failed.
struct SavedRight: Sendable {
    let identifier: String
    let keychain: any RightKeychain
    /// The application label of the key: the hash of its public half.
    let keyLabel: Data
    /// The key without its secret. Its public half needs no proof.
    let key: SecKey
    let hasSecret: Bool
    let requirement: LAAuthenticationRequirement

    // MARK: Names in the keychain

    /// The service of the passwords, and the label of the keys. Nothing else in the keychain may have it.
    static let name = "org.secitem.right"

    private static func password(_ identifier: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecAttrAccount: identifier]
    }

    private static func keys(_ identifier: String) -> [CFString: Any] {
        [kSecClass: kSecClassKey, kSecAttrLabel: name, kSecAttrApplicationTag: Data(identifier.utf8)]
    }

    /// The application label of a key's item.
    private static func label(of key: SecKey) -> Data? {
        (SecKeyCopyAttributes(key) as? [String: Any])?[kSecAttrApplicationLabel as String] as? Data
    }

    private static func key(_ label: Data) -> [CFString: Any] {
        [kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationLabel: label]
    }

    /// The description of a password without a secret. An empty secret is one.
    private static let withoutSecret = "right without a secret"
    private static let withSecret = "right with a secret"

    // MARK: Finding, saving and removing

    /// Finds a right. Asks nobody.
    ///
    /// - Throws: ``RightError/notFound(_:)``, or the error of the keychain. `errSecDecode` if an item has no access control
    ///   that demands a proof, or the two have different ones.
    init(finding identifier: String, in keychain: any RightKeychain) throws {
        let query = Self.password(identifier).merging([kSecReturnAttributes: true]) { $1 }
        guard let password = try keychain.find(query) as? [String: Any] else {
            throw RightError.ofStatus(errSecDecode)
        }
        guard let label = password[kSecAttrGeneric as String] as? Data,
            let control = password[kSecAttrAccessControl as String] as? SecAccessControl, control.requiresAuthentication
        else { throw RightError.ofStatus(errSecDecode) }
        let found = try keychain.find(Self.key(label).merging([kSecReturnAttributes: true]) { $1 })
        guard let attributes = found as? [String: Any],
            attributes[kSecAttrAccessControl as String] as? SecAccessControl == control,
            let key = try? keychain.closedKey(Self.key(label) as CFDictionary), Self.label(of: key) == label
        else { throw RightError.ofStatus(errSecDecode) }
        self.identifier = identifier
        self.keychain = keychain
        self.key = key
        keyLabel = label
        hasSecret = password[kSecAttrDescription as String] as? String != Self.withoutSecret
        requirement = LAAuthenticationRequirement(control.flags)
    }

    /// Makes the key of a right, and stores it with the secret. If one of them cannot be stored, neither stays.
    ///
    /// - Throws: ``RightError/generic(_:)`` if there is a right of this identifier, and the errors of the keychain.
    static func save(
        _ requirement: LAAuthenticationRequirement, _ identifier: String, secret: Data?, in keychain: any RightKeychain
    ) throws {
        let control = requirement.accessControl
        switch keychain.copyMatching(password(identifier) as CFDictionary, nil) {
        case errSecItemNotFound: break
        case errSecSuccess: throw isPresent
        case let status: throw RightError.of(status, control.steps, keychain.authenticator)
        }
        let attributes: [CFString: Any] = [
            kSecAttrIsPermanent: true, kSecAttrLabel: name, kSecAttrApplicationTag: Data(identifier.utf8),
            kSecAttrAccessControl: control,
        ]
        let key = try keychain.createRandomKey(
            [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: attributes,
            ] as CFDictionary)
        guard let label = label(of: key) else { throw RightError.ofStatus(errSecInternalError) }
        let data: [CFString: Any] = [
            kSecValueData: secret ?? Data(), kSecAttrGeneric: label, kSecAttrLabel: name,
            kSecAttrDescription: secret == nil ? withoutSecret : withSecret, kSecAttrAccessControl: control,
        ]
        let status = keychain.add(password(identifier).merging(data) { $1 } as CFDictionary, nil)
        guard status != errSecSuccess else { return }
        _ = keychain.delete(Self.key(label) as CFDictionary)
        throw status == errSecDuplicateItem
            ? isPresent : RightError.of(status, control.steps, keychain.authenticator)
    }

    private static var isPresent: NSError { RightError.generic("A right with this identifier is in the keychain.") }

    /// Removes the items of a right, also those of a save that failed.
    static func remove(_ identifier: String, from keychain: any RightKeychain) throws {
        try keychain.remove([password(identifier), keys(identifier)])
    }

    /// Removes the items of all rights.
    static func removeAll(from keychain: any RightKeychain) throws {
        try keychain.remove([
            [kSecClass: kSecClassGenericPassword, kSecAttrService: name],
            [kSecClass: kSecClassKey, kSecAttrLabel: name],
        ])
    }

    // MARK: Using

    /// Reads the secret. Asks for what the context lacks if there is a prompt, and otherwise nobody.
    ///
    /// - Throws: The error of the keychain. `errSecDecode` if the item's access control has changed since the right was found.
    func secret(_ context: LAContext, prompt: String?) throws -> Data {
        let query = Self.password(identifier).merging([
            kSecReturnData: true, kSecReturnAttributes: true, kSecAttrGeneric: keyLabel,
        ]) { $1 }
        let found = try keychain.find(query.merging(use(context, prompt)) { $1 }, requirement)
        // Another item may have taken its place since the right was found. What that one demands proves nothing here.
        guard let item = found as? [String: Any], let data = item[kSecValueData as String] as? Data,
            let control = item[kSecAttrAccessControl as String] as? SecAccessControl,
            control.flags == requirement.flags
        else { throw RightError.ofStatus(errSecDecode) }
        return data
    }

    /// Opens the private key. Asks nobody for what the context lacks.
    ///
    /// - Throws: The error of the keychain.
    func privateKey(_ context: LAContext) throws -> SecKey {
        let query = Self.key(keyLabel).merging([kSecReturnRef: true]) { $1 }
        guard let key = try keychain.find(query.merging(use(context, nil)) { $1 }, requirement) as? SecKey else {
            throw RightError.ofStatus(errSecDecode)
        }
        return key
    }

    private func use(_ context: LAContext, _ prompt: String?) -> [CFString: Any] {
        guard let prompt else {
            return [kSecUseAuthenticationContext: context, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        }
        return [kSecUseAuthenticationContext: context, kSecUseOperationPrompt: prompt]
    }
}

extension RightKeychain {
    /// Looks up one item.
    ///
    /// - Throws: The error for the status.
    fileprivate func find(_ query: [CFString: Any], _ requirement: LAAuthenticationRequirement? = nil) throws -> Any {
        var result: CFTypeRef?
        let status = copyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let result else {
            throw RightError.of(status, requirement?.accessControl.steps ?? [], authenticator)
        }
        return result
    }

    /// Deletes what each of the queries matches, which may be nothing.
    ///
    /// - Throws: The first error. All queries are tried.
    fileprivate func remove(_ queries: [[CFString: Any]]) throws {
        let failure = queries.map { delete($0 as CFDictionary) }.first {
            $0 != errSecSuccess && $0 != errSecItemNotFound
        }
        if let failure { throw RightError.ofStatus(failure) }
    }
}
