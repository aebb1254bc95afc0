// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Protects the root key with a chip of the machine (``ChipSeal``), together with the device key. The two files are
/// useless on another machine, and on this one they only work for users who may use the chip.
///
/// The chip seals a new secret for each wrapping. Nobody is prompted.
package struct ChipProtector: RootKeyProtector {
    private let seal: ChipSeal

    /// - Parameter seal: What seals the secrets.
    package init(_ seal: ChipSeal) {
        self.seal = seal
    }

    /// For stores that were told of no chip.
    package static let withoutChip = ChipProtector(
        ChipSeal { () throws(StoreError) in
            throw StoreError(
                .unavailable, "a TPM protects this keychain, but none is configured: set SECITEM_PROTECTOR=tpm")
        })

    package var method: RootKeyMethod { .chip }
    package var name: String { "a TPM, together with the key file beside it" }

    package func isFulfilled(by other: any RootKeyProtector) -> Bool {
        other.method == .chip || other.needsPassphrase
    }

    package var lack: StoreError {
        StoreError(
            .unavailable,
            "a TPM is configured, but does not protect this keychain: call LinuxKeychain.setPassphrase(nil), or "
                + "SECITEM_PROTECTOR=tpm security set-keychain-password --remove")
    }

    package var withoutPassphrase: any RootKeyProtector { self }

    // MARK: Parameters: what the chip has sealed

    package func newParameters() throws(StoreError) -> [UInt8] {
        try seal.newSealedKey()
    }

    /// - Throws: The errors of the chip; ``StoreError/Code/unavailable`` if another chip sealed the secret.
    package func wrappingKey(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        try device.bound(to: seal.key(sealed: parameters), "secitem/1 chip and device wrap root")
    }
}
