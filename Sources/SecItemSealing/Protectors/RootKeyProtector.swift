// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A method to protect a store's root key from anyone who only has its files.
///
/// The store saves the method's name and its parameters. From these, and perhaps a passphrase, the same protector
/// computes the same wrapping key again. A protector has no state.
package protocol RootKeyProtector: Sendable {
    /// The method's name in the file, for a new wrapping of the root key.
    var method: RootKeyMethod { get }

    /// A description, in words that follow "protected by".
    var name: String { get }

    /// The protector that opens wrappings of that method; nil if this protector has a different secret.
    func protector(for method: RootKeyMethod) -> (any RootKeyProtector)?

    /// Whether the wrapping key depends on a value that a person or an administrator must give.
    var needsPassphrase: Bool { get }

    /// Whether the other protector gives a store at least the protection of this one.
    func isFulfilled(by other: any RootKeyProtector) -> Bool

    /// Why a store without this protection is not used, and what to do.
    var lack: StoreError { get }

    /// The protector for a store that has, or gets, no passphrase.
    var withoutPassphrase: any RootKeyProtector { get }

    /// New random parameters for a new wrapping.
    func newParameters() throws(StoreError) -> [UInt8]

    /// The passphrase from the configured source; nil if there is none.
    ///
    /// - Parameter mayAsk: Whether a person may be asked.
    func passphrase(mayAsk: Bool) throws(StoreError) -> Secret?

    /// The file with the passphrase; nil if no file holds it.
    var passphraseFile: PassphraseFile? { get }

    /// The key that wraps the root key.
    ///
    /// - Throws: ``StoreError/Code/locked`` if a passphrase is needed and missing; ``StoreError/Code/corrupt`` if the
    ///   parameters do not belong to this method.
    func wrappingKey(parameters: [UInt8], device: DeviceKeys, passphrase: Secret?) throws(StoreError) -> Secret

    /// ``wrappingKey(parameters:device:passphrase:)``, and the key that wraps the guard key.
    func wrappingKeys(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> WrappingKeys
}

/// The keys that a protector derives from its secret.
package struct WrappingKeys: Sendable {
    package let root: Secret
    /// Wraps the guard key; nil if no person has to give anything.
    package let guardKey: Secret?
}

extension RootKeyProtector {
    package func protector(for method: RootKeyMethod) -> (any RootKeyProtector)? {
        method == self.method ? self : nil
    }

    package var needsPassphrase: Bool { false }

    package func passphrase(mayAsk: Bool) throws(StoreError) -> Secret? { nil }

    package var passphraseFile: PassphraseFile? { nil }

    package func wrappingKeys(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> WrappingKeys {
        WrappingKeys(
            root: try wrappingKey(parameters: parameters, device: device, passphrase: passphrase), guardKey: nil)
    }

    package func isFulfilled(by other: any RootKeyProtector) -> Bool { other.needsPassphrase || !needsPassphrase }

    package var lack: StoreError {
        StoreError(
            .unavailable, "a passphrase is configured, but this keychain has none: \(RootKeyMethod.givePassphrase)")
    }

    package var withoutPassphrase: any RootKeyProtector { KeyFileProtector() }
}

/// The name of a method to protect the root key.
package struct RootKeyMethod: Hashable, Sendable {
    /// The name in the file.
    package let name: String

    /// The method of that name, which this program may not know.
    package init(name: String) {
        self.name = name
    }

    /// The key file beside the database.
    package static let keyFile = RootKeyMethod(name: "key-file")
    /// A passphrase through scrypt, together with the device key.
    package static let passphrase = RootKeyMethod(name: "scrypt+device")
    /// The secret that a sandbox's portal hands out, together with the device key.
    package static let portal = RootKeyMethod(name: "portal+device")
    /// A secret that a chip of the machine has sealed, together with the device key.
    package static let chip = RootKeyMethod(name: "chip+device")

    /// What to do where a passphrase is expected and the store has none.
    package static let givePassphrase =
        "give it one with LinuxKeychain.setPassphrase or security set-keychain-password"

    /// Whether the method uses a passphrase.
    package var takesPassphrase: Bool { self == .passphrase }
}

/// Protects the root key with the key file alone. Anyone who has both files can read everything.
package struct KeyFileProtector: RootKeyProtector {
    private let chip: ChipProtector?

    /// - Parameter chip: Opens a store that a chip protects, which is more protection than required.
    package init(orBetter chip: ChipProtector? = nil) {
        self.chip = chip
    }

    package func protector(for method: RootKeyMethod) -> (any RootKeyProtector)? {
        method == self.method ? self : chip?.protector(for: method)
    }

    package var method: RootKeyMethod { .keyFile }
    package var name: String { "the key file beside it" }

    package func newParameters() -> [UInt8] { [] }

    package func wrappingKey(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        device.wrappingRoot
    }
}
