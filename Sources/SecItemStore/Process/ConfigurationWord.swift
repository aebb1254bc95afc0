// SPDX-License-Identifier: Apache-2.0

/// The words that environment variables may have, each written once: for those who read them, and for those who check them.
package enum ConfigurationWord {
    /// What `SECITEM_STORE` may name.
    package enum Store: String, CaseIterable, Sendable {
        case embedded
        case secretService = "secret-service"
        case memory
        case automatic
    }

    /// What `SECITEM_KEY_CACHE` may name.
    package enum KeyCache: String, CaseIterable, Sendable {
        case automatic, kernel, runtime, none
    }

    /// What `SECITEM_PROTECTOR` may name.
    package enum Protector: String, CaseIterable, Sendable {
        case tpm
    }

    /// What `SECITEM_NETWORK_FOLDER` has where a folder on a network is meant.
    package static let networkFolderAllowed = "allowed"
    /// What `SECITEM_ALLOW_PLAIN_SESSION` has where a session without encryption is meant.
    package static let plainSessionAllowed = "1"
}
