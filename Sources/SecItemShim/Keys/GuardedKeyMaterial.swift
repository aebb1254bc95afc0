// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The private half of a key whose item is guarded: all that its public half tells, and nothing that it could do.
///
/// Every use goes through ``SecKey/opened()``, which gives the real key when it has been allowed.
struct GuardedKeyMaterial: KeyMaterial {
    let publicMaterial: any KeyMaterial

    var type: KeyType { publicMaterial.type }
    var isPrivate: Bool { true }
    var sizeInBits: Int { publicMaterial.sizeInBits }
    /// Nothing: the bytes are in the item.
    var externalRepresentation: Secret { Secret(Data()) }
    var publicRepresentation: Data { publicMaterial.publicRepresentation }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary { publicMaterial.library(for: algorithm) }
}

/// What gives the private half of a key whose item is guarded, once for each use.
struct KeyGuard: Sendable {
    private let body: @Sendable () throws(KeychainError) -> any KeyMaterial

    init(_ body: @escaping @Sendable () throws(KeychainError) -> any KeyMaterial) {
        self.body = body
    }

    /// Has a person asked, unless it was proven before, and reads the key.
    ///
    /// - Throws: `errSecUserCanceled`, `errSecAuthFailed` and `errSecInteractionNotAllowed` as a look-up of the item's data
    ///   does, `errSecItemNotFound` when the item is gone or has become another key's.
    func open() throws(KeychainError) -> any KeyMaterial { try body() }
}
