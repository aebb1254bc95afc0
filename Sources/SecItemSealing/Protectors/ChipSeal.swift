// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Seals keys with a chip of the machine (``SecurityChip``), so that they open on this machine alone, and there only for
/// users who may use the chip. Nobody is prompted.
package struct ChipSeal: Sendable {
    /// Finds the chip. Throws ``StoreError/Code/unavailable`` where there is none.
    package typealias Source = @Sendable () throws(StoreError) -> any SecurityChip

    private let source: Source

    /// - Parameter source: Finds the chip, at each use.
    package init(source: @escaping Source) {
        self.source = source
    }

    /// For stores that were told of no chip.
    package static let withoutChip = ChipSeal { () throws(StoreError) in
        throw StoreError(.unavailable, "no TPM is configured: set SECITEM_PROTECTOR=tpm")
    }

    /// A new random key, as the chip has sealed it. Only the chip says what it is (``key(sealed:)``), so that nothing is
    /// encrypted with a key that the chip would not give back.
    package func newSealedKey() throws(StoreError) -> [UInt8] {
        try source().seal(try .randomKey())
    }

    /// The key that ``newSealedKey()`` has made.
    ///
    /// - Throws: The errors of the chip: ``StoreError/Code/unavailable`` if another one has sealed the key, or this one before
    ///   it was reset; ``StoreError/Code/corrupt`` if the bytes are something else.
    package func key(sealed: [UInt8]) throws(StoreError) -> Secret {
        let secret = try source().unseal(sealed)
        guard secret.count == Secret.keyByteCount else { throw StoreError(.corrupt, "the chip sealed something else") }
        return secret
    }
}
