// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// A key is a secret of 32 bytes. It becomes a key of swift-crypto only during a call.
extension Secret {
    package static let keyByteCount = 32

    /// The key for swift-crypto, which wipes its copy.
    package var symmetricKey: SymmetricKey { withUnsafeBytes { SymmetricKey(data: $0) } }
}
