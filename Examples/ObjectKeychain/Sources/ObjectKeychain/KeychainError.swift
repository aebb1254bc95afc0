// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A failed keychain call.
struct KeychainError: Error, LocalizedError {
    let status: OSStatus

    var errorDescription: String? {
        let sentence = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "unknown error"
        return "\(sentence) (\(status))"
    }
}
