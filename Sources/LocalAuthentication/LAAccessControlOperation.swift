// SPDX-License-Identifier: Apache-2.0

/// What an application is about to do with an item or key that an access control protects.
///
/// The cases and numbers are those of
/// [LAAccessControlOperation](https://developer.apple.com/documentation/localauthentication/laaccesscontroloperation).
public enum LAAccessControlOperation: Int, Sendable {
    /// Add an item.
    case createItem = 0

    /// Read an item.
    case useItem = 1

    /// Make a key.
    case createKey = 2

    /// Sign with a key.
    case useKeySign = 3

    /// Decrypt with a key.
    case useKeyDecrypt = 4

    /// Agree on a secret with a key.
    case useKeyKeyExchange = 5

    var makesItem: Bool { self == .createItem || self == .createKey }
}
