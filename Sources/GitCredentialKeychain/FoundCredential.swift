// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// An item that matches a request.
struct FoundCredential {
    let account: [UInt8]
    let path: [UInt8]
    let modified: Date
    let secret: CredentialSecret
    /// A reference to the item that stays valid when the item changes.
    let reference: Data

    /// - Parameter result: The dictionary that the look-up returned.
    /// - Returns: Nil for an item that git cannot use: its account contains a NUL or line break, its data is missing or
    ///   contains a NUL, or the credential is incomplete.
    init?(_ result: [String: Any]) {
        guard let data = result[kSecValueData as String] as? Data, !data.contains(0),
            let reference = result[kSecValuePersistentRef as String] as? Data
        else { return nil }
        account = Self.bytes(result[kSecAttrAccount as String])
        path = Self.bytes(result[kSecAttrPath as String])
        modified = result[kSecAttrModificationDate as String] as? Date ?? .distantPast
        secret = CredentialSecret(data: data)
        self.reference = reference
        guard !account.contains(0), !account.contains(UInt8(ascii: "\n")), secret.isComplete else { return nil }
    }

    private static func bytes(_ attribute: Any?) -> [UInt8] {
        if let text = attribute as? String { return Array(text.utf8) }
        return (attribute as? Data).map { Array($0) } ?? []
    }

    /// Whether this credential is preferable to another one. A credential that has not expired is preferred, then one
    /// for the whole host, then the one that was changed last.
    func isBetter(than other: FoundCredential, at now: Date) -> Bool {
        func rank(_ credential: FoundCredential) -> (Int, Int, Date) {
            (credential.hasExpired(at: now) ? 0 : 1, credential.path.isEmpty ? 1 : 0, credential.modified)
        }
        return rank(self) > rank(other)
    }

    private func hasExpired(at now: Date) -> Bool {
        secret.expiry.map { Double($0) <= now.timeIntervalSince1970 } ?? false
    }

    /// The lines for git. Git already knows protocol, host and path, and the account if it named one.
    func answer(to request: CredentialRequest) -> [UInt8] {
        let line = UInt8(ascii: "\n")
        let capability = secret.isPassword ? [] : Array("capability[]=authtype\n".utf8)
        let isNamed = request.username != nil || (account.isEmpty && !secret.isPassword)
        let username = isNamed ? [] : Array("username=".utf8) + account + [line]
        return capability + username + secret.answer
    }
}
