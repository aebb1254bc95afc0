// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NeverForceUnwrap
import Atomics
import Security
import X509

/// Certificates in the keychain, as swift-certificates has them.
public final class StoredCertificates: Sendable {
    private let state = ManagedAtomic(StoreState.new)
    private let lookUps = ManagedAtomic(0)

    /// Makes a store; touches nothing yet.
    public init() {}

    /// Whether something was stored or found.
    public var isInUse: Bool { state.load(ordering: .acquiring) == .inUse }

    /// How often the keychain was asked.
    public var lookUpCount: Int { lookUps.load(ordering: .relaxed) }

    /// Stores a certificate under a label.
    public func add(_ certificate: Certificate, label: String) throws -> OSStatus {
        let item: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecAttrLabel: label,
            kSecValueRef: try SecCertificate.makeWithCertificate(certificate),
        ]
        return used(SecItemAdd(item as CFDictionary, nil))
    }

    /// Gives the certificate with a label, or `nil` if there is none.
    public func certificate(label: String) throws -> Certificate? {
        lookUps.wrappingIncrement(ordering: .relaxed)
        let query: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecAttrLabel: label, kSecReturnRef: true,
        ]
        var result: CFTypeRef?
        guard used(SecItemCopyMatching(query as CFDictionary, &result)) == errSecSuccess else { return nil }
        return try Certificate(result as! SecCertificate)
    }

    /// Removes the certificate with a label.
    @discardableResult
    public func remove(label: String) -> OSStatus {
        SecItemDelete([kSecClass: kSecClassCertificate, kSecAttrLabel: label] as CFDictionary)
    }

    private func used(_ status: OSStatus) -> OSStatus {
        if status == errSecSuccess { state.store(.inUse, ordering: .releasing) }
        return status
    }
}
