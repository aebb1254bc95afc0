// SPDX-License-Identifier: Apache-2.0

/// The kind of a keychain item, spelt with the four-letter codes that Apple's `kSecClass…` constants hold.
///
/// Source: `kSecClass` in Apple's *SecItem.h*.
public enum ItemClass: String, Sendable, Hashable, CaseIterable {
    /// A password with a service and an account (`kSecClassGenericPassword`).
    case genericPassword = "genp"
    /// A password for a server (`kSecClassInternetPassword`).
    case internetPassword = "inet"
    /// An X.509 certificate (`kSecClassCertificate`).
    case certificate = "cert"
    /// A cryptographic key (`kSecClassKey`).
    case key = "keys"
    /// A certificate together with its private key (`kSecClassIdentity`).
    ///
    /// No store holds items of this class: the engine joins certificates and keys.
    case identity = "idnt"

    /// The classes whose items a store holds.
    public static let stored: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
}
