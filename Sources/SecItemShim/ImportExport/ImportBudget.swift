// SPDX-License-Identifier: Apache-2.0

/// Limits the work that the passphrases of one file may cause.
///
/// A file states how often each of its parts digests the passphrase. Programs write from 1 to a few hundred thousand. A
/// file that states two billion would keep a program busy for hours.
struct DerivationBudget {
    /// Takes from a few seconds to a few tens of seconds.
    static let greatest = 10_000_000

    private var left = greatest

    /// - Throws: `errSecDecode` if the file asks for more than is left.
    mutating func spend(_ rounds: Int) throws(KeychainError) {
        guard rounds > 0, rounds <= left else {
            throw .notDecodable("the file wants its passphrase digested more than \(Self.greatest) times")
        }
        left -= rounds
    }
}
