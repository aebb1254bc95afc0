// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import SecItemStore

/// What scrypt costs: 128 × r × N bytes of memory, and time in proportion.
package struct ScryptCost: Hashable, Sendable {
    /// The binary logarithm of N.
    package let logarithmOfRounds: UInt8
    /// r.
    package let blockSize: UInt8
    /// p.
    package let parallelism: UInt8

    /// N = 2¹⁷, r = 8, p = 1: 128 MiB, and about a third of a second on a machine of 2023.
    package static let standard: ScryptCost = {
        #if DEBUG
            // Tests start hundreds of programs that set a passphrase. No release build reads the variable.
            if getenv("DEBUG_SCRYPT_COST").map({ String(cString: $0) }) == "lowest" { return lowest }
        #endif
        return ScryptCost(uncheckedLogarithmOfRounds: 17, blockSize: 8, parallelism: 1)
    }()
    /// For tests: next to nothing.
    package static let lowest = ScryptCost(uncheckedLogarithmOfRounds: 4, blockSize: 8, parallelism: 1)

    /// Nil for a cost of no use, or of more than 1 GiB of memory.
    package init?(logarithmOfRounds: UInt8, blockSize: UInt8, parallelism: UInt8) {
        guard (1...23).contains(logarithmOfRounds), (1...32).contains(blockSize), (1...16).contains(parallelism),
            128 * Int(blockSize) << Int(logarithmOfRounds) <= 1 << 30
        else { return nil }
        self.init(
            uncheckedLogarithmOfRounds: logarithmOfRounds, blockSize: blockSize, parallelism: parallelism
        )
    }

    /// Whether a stranger's file may have this program spend so much: at most 512 MiB and some seconds.
    package var isFitForReading: Bool {
        memory <= 512 << 20 && parallelism <= 4
    }

    /// Whether it takes at least the memory and the work of another one.
    package func isAtLeast(_ other: ScryptCost) -> Bool {
        memory >= other.memory && memory * Int(parallelism) >= other.memory * Int(other.parallelism)
    }

    /// The memory that scrypt takes, in bytes.
    var memory: Int { 128 * Int(blockSize) << Int(logarithmOfRounds) }

    private init(uncheckedLogarithmOfRounds: UInt8, blockSize: UInt8, parallelism: UInt8) {
        logarithmOfRounds = uncheckedLogarithmOfRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

extension Secret {
    /// The longest key that HMAC of SHA-256, and so scrypt, fills up with zeros; it takes the digest of a longer one.
    private static let digestBlockByteCount = 64

    /// Whether no shorter passphrase gives the same key.
    private var isFitAsPassphrase: Bool {
        count == 1 || count > Self.digestBlockByteCount || withUnsafeBytes { $0.last } != 0
    }

    /// Checks what is to become a passphrase.
    ///
    /// - Throws: ``SecItemStore/StoreError/Code/unrepresentable`` if it is empty, or ends in a zero byte that would not count.
    package func requireFitAsPassphrase() throws(StoreError) {
        guard count > 0, isFitAsPassphrase else {
            throw StoreError(.unrepresentable, "a passphrase must not be empty, and not end in a zero byte")
        }
    }

    /// The key that scrypt makes of a passphrase. Waits while another thread runs scrypt.
    ///
    /// A passphrase that ends in a zero byte is refused: scrypt would make the same key of it without the zeros, so two
    /// passphrases would open what only one of them was given to. A single zero byte is none of these two, because there is no
    /// empty passphrase: the command `security` has it stand for an empty password.
    ///
    /// - Parameter salt: A random salt.
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` if this secret is empty, or ends in a zero byte that
    ///   would not count.
    package func stretchedPassphrase(salt: some DataProtocol, _ cost: ScryptCost) throws(StoreError) -> Secret {
        guard isFitAsPassphrase else {
            throw StoreError(
                .authenticationFailed, "zero bytes at the end of a passphrase would not count: leave them away")
        }
        return try stretched(salt: salt, cost)
    }

    /// The key that scrypt makes of a passphrase or a password. Waits while another thread runs scrypt.
    ///
    /// - Parameter byteCount: How many bytes it has; its parts are independent of each other.
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` if this secret is empty.
    package func stretched(
        salt: some DataProtocol, _ cost: ScryptCost, byteCount: Int = keyByteCount
    ) throws(StoreError) -> Secret {
        // scrypt's implementation takes no empty passphrase, and an empty one protects nothing.
        guard count > 0 else { throw StoreError(.authenticationFailed, "the passphrase is empty") }
        return try Self.scryptTurn.withLock { (_) throws(StoreError) in try stretchedNow(salt: salt, cost, byteCount) }
    }

    /// Held by the one thread that runs scrypt, which takes 128 MiB and more.
    private static let scryptTurn = LockedValue(())

    private func stretchedNow(
        salt: some DataProtocol, _ cost: ScryptCost, _ byteCount: Int
    ) throws(StoreError) -> Secret {
        do {
            return try withUnsafeBytes { bytes in
                try KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: byteCount,
                    rounds: 1 << Int(cost.logarithmOfRounds), blockSize: Int(cost.blockSize),
                    parallelism: Int(cost.parallelism)
                ).withUnsafeBytes { try Secret.make(copying: $0) }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.io, "deriving a key from the passphrase failed", underlying: error)
        }
    }
}
