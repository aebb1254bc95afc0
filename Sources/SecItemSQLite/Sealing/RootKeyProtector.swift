// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A way to keep a store's root key from those who only have its files.
///
/// The store writes down the method's name and its parameters; with them, and perhaps with a passphrase, the same
/// protector gives the same wrapping key again. A protector keeps no state of its own.
package protocol RootKeyProtector: Sendable {
    /// The method's name in the file, for a root key that is wrapped anew.
    var method: RootKeyMethod { get }

    /// What protects, in words that follow "protected by".
    var name: String { get }

    /// The protector that opens what was wrapped with that method; nil when this one's secret is not the method's.
    func protector(for method: RootKeyMethod) -> (any RootKeyProtector)?

    /// Whether the wrapping key depends on something that a person or an administrator has to give.
    var needsPassphrase: Bool { get }

    /// Whether a store that the other protects is protected as this one would have it, or better.
    func isFulfilled(by other: any RootKeyProtector) -> Bool

    /// Why a store is not used that does not fulfil this, and what to do.
    var lack: StoreError { get }

    /// What protects the store when it gets no passphrase, or loses its own.
    var withoutPassphrase: any RootKeyProtector { get }

    /// Parameters for a key that is wrapped anew, with fresh randomness.
    func newParameters() throws(StoreError) -> [UInt8]

    /// The passphrase, from where the protector was told to look; nil when there is none to be had.
    ///
    /// - Parameter mayAsk: Whether a person may be asked.
    func passphrase(mayAsk: Bool) throws(StoreError) -> Secret?

    /// The file that the passphrase is read from; nil where no file holds it.
    var passphraseFile: PassphraseFile? { get }

    /// The key that wraps the root key.
    ///
    /// - Throws: ``StoreError/Code/locked`` without a passphrase where one is needed;
    ///   ``StoreError/Code/corrupt`` when the parameters are not this method's.
    func wrappingKey(parameters: [UInt8], device: DeviceKeys, passphrase: Secret?) throws(StoreError) -> Secret

    /// ``wrappingKey(parameters:device:passphrase:)``, and what wraps the key of guarded secrets.
    func wrappingKeys(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> WrappingKeys
}

/// What a protector makes of the secret that it depends on.
package struct WrappingKeys: Sendable {
    /// Wraps the root key.
    let root: Secret
    /// Wraps the key of guarded secrets; nil where nobody has to give anything that could open them.
    let guardKey: Secret?
}

extension RootKeyProtector {
    package func protector(for method: RootKeyMethod) -> (any RootKeyProtector)? {
        method == self.method ? self : nil
    }

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
            .unavailable,
            "a passphrase is configured, but this keychain has none: give it one with LinuxKeychain.setPassphrase")
    }

    package var withoutPassphrase: any RootKeyProtector { KeyFileProtector() }
}

/// The name of a way to protect the root key.
package struct RootKeyMethod: Hashable, Sendable {
    let name: String

    init(name: String) {
        self.name = name
    }

    /// The key file beside the database.
    static let keyFile = RootKeyMethod(name: "key-file")
    /// A passphrase through scrypt, together with the device key.
    static let passphrase = RootKeyMethod(name: "scrypt+device")
    /// A passphrase through scrypt, as stores were made at first. Opened, and never written again.
    static let passphraseAlone = RootKeyMethod(name: "scrypt")
    /// The secret that a sandbox's portal hands out, together with the device key.
    static let portal = RootKeyMethod(name: "portal+device")
    /// The portal's secret, as stores were made at first. Opened, and never written again.
    static let portalAlone = RootKeyMethod(name: "portal")
    /// A secret that a chip of the machine has sealed, together with the device key.
    static let chip = RootKeyMethod(name: "chip+device")

    /// Whether a passphrase is part of it.
    var takesPassphrase: Bool { self == .passphrase || self == .passphraseAlone }
}

/// Protects the root key with the key file alone: whoever has both files has everything.
package struct KeyFileProtector: RootKeyProtector {
    private let chip: ChipProtector?

    /// - Parameter chip: What opens a store that a chip protects: more than was asked for.
    package init(orBetter chip: ChipProtector? = nil) {
        self.chip = chip
    }

    package func protector(for method: RootKeyMethod) -> (any RootKeyProtector)? {
        method == self.method ? self : chip?.protector(for: method)
    }

    package var method: RootKeyMethod { .keyFile }
    package var name: String { "the key file beside it" }
    package var needsPassphrase: Bool { false }

    package func newParameters() -> [UInt8] { [] }

    package func passphrase(mayAsk: Bool) throws(StoreError) -> Secret? { nil }

    package func wrappingKey(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        device.wrappingRoot
    }
}
