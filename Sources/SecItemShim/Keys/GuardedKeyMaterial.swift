// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The private half of a guarded key, without its secret: it has everything that the public half reveals, and supports
/// no operation.
///
/// Every use calls ``SecKey/opened()``, which gives the real key after the necessary proof.
struct GuardedKeyMaterial: KeyMaterial {
    let publicMaterial: any KeyMaterial

    var type: KeyType { publicMaterial.type }
    var isPrivate: Bool { true }
    var sizeInBits: Int { publicMaterial.sizeInBits }
    /// Empty: the bytes are in the item.
    var externalRepresentation: Secret { Secret(Data()) }
    var publicRepresentation: Data { publicMaterial.publicRepresentation }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary { publicMaterial.library(for: algorithm) }
}

/// Opens the private half of a guarded key, once for each use.
struct KeyGuard: Sendable {
    private let body: @Sendable () throws(KeychainError) -> any KeyMaterial

    init(_ body: @escaping @Sendable () throws(KeychainError) -> any KeyMaterial) {
        self.body = body
    }

    /// Prompts, unless the proof was given before, and reads the key.
    ///
    /// - Throws: `errSecUserCanceled`, `errSecAuthFailed` and `errSecInteractionNotAllowed` as a look-up of the item's
    ///   data does; `errSecItemNotFound` if the item was deleted or now holds another key.
    func open() throws(KeychainError) -> any KeyMaterial { try body() }
}
