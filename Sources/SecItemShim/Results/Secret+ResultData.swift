// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension Secret {
    /// The bytes for a caller: one copy, wiped when the caller lets go.
    var resultData: ResultData {
        withUnsafeBytes { ResultData(secret: $0) }
    }
}
