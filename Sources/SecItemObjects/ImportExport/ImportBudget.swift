// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Limits the work that one import may cause, whatever its file states.
///
/// A file states how often each of its parts digests the passphrase, how many parts it has, and which certificates
/// could belong to the chain of each identity. A file that states two billion digests would keep a program busy for
/// hours, and so would one that needs thousands of long chains.
struct ImportBudget {
    /// Programs write from 1 to a few hundred thousand for each part. This many take from a few seconds to a few tens
    /// of seconds.
    static let greatestRounds = 10_000_000
    /// More than the file of any one person has.
    static let greatestBags = 4096
    /// What the chains of all identities may cost together: as much as one evaluation, which is enough for dozens.
    let trust = TrustBudget()

    private var rounds = greatestRounds
    private var bags = greatestBags

    /// Accounts for digests of a passphrase.
    ///
    /// - Throws: `errSecDecode` if the file asks for more than is left.
    mutating func spend(rounds count: Int) throws(KeychainError) {
        guard count > 0, count <= rounds else {
            throw .notDecodable("the file wants its passphrase digested more than \(Self.greatestRounds) times")
        }
        rounds -= count
    }

    /// Accounts for one more bag.
    ///
    /// - Throws: `errSecDataTooLarge` if the file has too many.
    mutating func spendBag() throws(KeychainError) {
        guard bags > 0 else {
            throw KeychainError(errSecDataTooLarge, "the file holds more than \(Self.greatestBags) bags")
        }
        bags -= 1
    }
}

enum FileBytes {
    /// Far more than a file of keys has. Reading makes some copies of the file.
    static let greatestSize = 8 << 20

    /// - Throws: `errSecDataTooLarge` above 8 MiB.
    static func slice(_ data: NSData) throws(KeychainError) -> ArraySlice<UInt8> {
        guard data.length <= greatestSize else {
            throw KeychainError(errSecDataTooLarge, "the file has more than \(greatestSize) bytes")
        }
        return Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))[...]
    }
}
