// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The keychain items that a request is about.
struct CredentialItems {
    private let request: CredentialRequest

    init(_ request: CredentialRequest) {
        self.request = request
    }

    // MARK: What git asks for

    /// The best matching credential. Nil if there is none, or if the request names no host.
    ///
    /// - Throws: `HelperFailure` if the keychain is locked or not available.
    func find() throws(HelperFailure) -> FoundCredential? {
        let now = Date()
        return try found("look for the credential")
            .filter { $0.secret.isPassword || request.knowsAuthenticationTypes }
            .reduce(nil) { best, next in best.map { !next.isBetter(than: $0, at: now) } ?? false ? best : next }
    }

    /// Stores the credential unless it is already stored.
    ///
    /// - Throws: `HelperFailure` if the credential is incomplete or cannot be stored.
    func store() throws(HelperFailure) {
        if request.isEphemeral { return }
        guard let item = itemOfItsOwn else {
            throw HelperFailure("cannot store the credential: protocol, host, username and password are needed")
        }
        let data = [kSecValueData: Data(request.secret.data)]
        // Another git may add or delete the same item between the two calls, so they are repeated.
        for _ in 0..<Self.attempts {
            if Self.isKept(data, in: item) { return }
            var status = SecItemUpdate(item as CFDictionary, data as CFDictionary)
            if status == errSecItemNotFound {
                let label = [kSecAttrLabel: item[kSecAttrServer] as Any]
                status = SecItemAdd(item.merging(data) { $1 }.merging(label) { $1 } as CFDictionary, nil)
                if status == errSecDuplicateItem { continue }
            }
            if status == errSecSuccess { return }
            throw HelperFailure("store the credential", status)
        }
        throw HelperFailure("cannot store the credential: other programs keep adding and deleting it")
    }

    private static let attempts = 50

    /// Deletes all credentials that match the request. If the request has a password, deletes only those with that
    /// password.
    ///
    /// - Throws: `HelperFailure` if the request names no protocol or host, or if an item cannot be deleted.
    func erase() throws(HelperFailure) {
        guard query != nil else {
            throw HelperFailure("cannot erase credentials: protocol and host are needed")
        }
        for credential in try found("look for the credentials to erase") where credential.secret.matches(request.secret)
        {
            let item: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecValuePersistentRef: credential.reference,
            ]
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw HelperFailure("erase the credential", status)
            }
        }
    }

    // MARK: Queries

    /// The attributes that all items for the request share. A request without a path is about the whole host.
    private var query: [CFString: Any]? {
        guard let protocolConstant = request.protocolConstant, let host = request.host else { return nil }
        var query: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword,
            kSecAttrProtocol: protocolConstant,
            kSecAttrAuthenticationType: kSecAttrAuthenticationTypeDefault,
            kSecAttrServer: Self.text(host.server),
            // Without a port, this is 0, which stands for the protocol's usual port. It never finds a password for
            // another server on the same machine.
            kSecAttrPort: Int(host.port),
        ]
        query[kSecAttrPath] = request.path.map(Self.text)
        query[kSecAttrAccount] = request.username.map(Self.text)
        return query
    }

    /// The attributes of the one item for the credential. They include every attribute of the primary key that a
    /// credential can have, because an update would otherwise change items of other paths too.
    private var itemOfItsOwn: [CFString: Any]? {
        guard let query, request.secret.isComplete, request.username != nil || !request.secret.isPassword
        else { return nil }
        let rest: [CFString: Any] = [kSecAttrPath: "", kSecAttrAccount: "", kSecAttrSecurityDomain: ""]
        return query.merging(rest) { named, _ in named }
    }

    private func found(_ attempt: String) throws(HelperFailure) -> [FoundCredential] {
        guard let query else { return [] }
        let wanted: [CFString: Any] = [
            kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true, kSecReturnData: true,
            kSecReturnPersistentRef: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query.merging(wanted) { $1 } as CFDictionary, &result)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw HelperFailure(attempt, status) }
        return (result as? [[String: Any]] ?? []).compactMap(FoundCredential.init)
    }

    /// Whether the item already has this data. Git asks to store each credential again after it has used it.
    private static func isKept(_ data: [CFString: Data], in item: [CFString: Any]) -> Bool {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
        return status == errSecSuccess && result as? Data == data[kSecValueData]
    }

    /// A value of git's as text if it is valid UTF-8, or else as data.
    private static func text(_ bytes: [UInt8]) -> Any {
        String(validating: bytes, as: UTF8.self) ?? Data(bytes) as Any
    }
}
