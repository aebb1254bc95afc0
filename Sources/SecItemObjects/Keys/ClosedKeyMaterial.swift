// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The private half of a guarded key, without its secret: it has everything that the public half reveals, and supports
/// no operation.
///
/// A saved right has it while it is not authorized.
struct ClosedKeyMaterial: KeyMaterial {
    let publicMaterial: any KeyMaterial

    var type: KeyType { publicMaterial.type }
    var isPrivate: Bool { true }
    var sizeInBits: Int { publicMaterial.sizeInBits }
    /// Empty: the bytes are in the item.
    var externalRepresentation: Secret { Secret(Data()) }
    var publicRepresentation: Data { publicMaterial.publicRepresentation }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary { publicMaterial.library(for: algorithm) }
}

/// The private half of a guarded key, without its secret.
package func closedKeyMaterial(_ publicMaterial: any KeyMaterial) -> any KeyMaterial {
    ClosedKeyMaterial(publicMaterial: publicMaterial)
}
