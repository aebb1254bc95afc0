// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// Protects the root key with the secret that a sandbox's portal gives to the application.
///
/// It is not a passphrase: the store is open as long as the session's keyring is. The caller decides how to ask the
/// portal.
package struct PortalProtector: RootKeyProtector {
    /// The portal's answer.
    package struct Answer: Sendable {
        let secret: Secret
        /// The token for the next request to the portal.
        let token: String?

        package init(secret: Secret, token: String?) {
            self.secret = secret
            self.token = token
        }
    }

    /// Asks the portal, with the token of its last answer. Must return within a limited time.
    package typealias Source = @Sendable (_ token: String?) throws(StoreError) -> Answer

    private let source: Source

    package init(source: @escaping Source) {
        self.source = source
    }

    /// For programs without a portal.
    static let withoutPortal = PortalProtector { (_) throws(StoreError) in
        throw StoreError(.unavailable, "the root key is protected by the secret of a sandbox's portal")
    }

    package var method: RootKeyMethod { .portal }
    package var name: String { "the secret of a sandbox's portal" }

    // MARK: Parameters: salt, check value, then the token

    private static let saltByteCount = 32
    private static let checkByteCount = 8
    private static let maximumTokenByteCount = 4096

    package func newParameters() -> [UInt8] {
        let salt = RandomBytes.bytes(Self.saltByteCount)
        // Without an answer there is no wrapping key either, and the request for it reports the reason.
        guard let answer = try? source(nil) else { return salt }
        return salt + Self.portalKey(answer.secret, salt: salt).checkValue() + Array((answer.token ?? "").utf8)
    }

    /// - Throws: The errors of the portal; ``StoreError/Code/authenticationFailed`` if its secret is not that of the
    ///   store.
    package func wrappingKey(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        let salt = Array(parameters.prefix(Self.saltByteCount))
        let check = parameters.dropFirst(Self.saltByteCount).prefix(Self.checkByteCount)
        let token = parameters.dropFirst(Self.saltByteCount + Self.checkByteCount)
        let answer = try source(token.isEmpty ? nil : String(decoding: token, as: UTF8.self))
        guard check.count == Self.checkByteCount, token.count <= Self.maximumTokenByteCount else {
            throw StoreError(.corrupt, "the parameters of the portal's secret are damaged, or it has too long a token")
        }
        let key = Self.portalKey(answer.secret, salt: salt)
        // Distinguished from a damaged store. The secret changes if the keyring is reset, and differs between
        // applications.
        guard key.checkValue().elementsEqual(check) else {
            throw StoreError(
                .authenticationFailed, "the portal's secret is not the one that this keychain was created with")
        }
        return try device.bound(to: key, "secitem/1 portal and device wrap root")
    }

    private static func portalKey(_ secret: Secret, salt: [UInt8]) -> Secret {
        secret.derived("secitem/1 portal wrap root", salt: salt)
    }
}
