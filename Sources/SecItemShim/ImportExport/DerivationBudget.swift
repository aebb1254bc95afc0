// SPDX-License-Identifier: Apache-2.0

/// How much work the passphrases of one file may make.
///
/// A file says itself how often its passphrase is to be digested, for each of its parts. Programs write from 1 up to a few
/// hundred thousand; a file that says two thousand millions would keep a program busy for hours.
struct DerivationBudget {
    /// Some seconds to some tens of them.
    static let greatest = 10_000_000

    private var left = greatest

    /// - Throws: `errSecDecode` when a file asks for more.
    mutating func spend(_ rounds: Int) throws(KeychainError) {
        guard rounds > 0, rounds <= left else {
            throw .notDecodable("the file wants its passphrase digested more than \(Self.greatest) times")
        }
        left -= rounds
    }
}
