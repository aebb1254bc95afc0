// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Gives a sentence that describes a status.
///
/// The sentences are this library's own, in English. Programs should compare statuses, never sentences.
///
///     let status = SecItemAdd(attributes as CFDictionary, nil)
///     if status != errSecSuccess {
///         print(SecCopyErrorMessageString(status, nil) as String? ?? "")
///     }
///
/// - Parameters:
///   - status: The status that a call returned.
///   - reserved: Ignored; pass nil.
/// - Returns: The sentence, or `OSStatus` and the number if the status is not one of Apple's. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: StatusTable.row(for: status)?.sentence ?? statusNumber(status))
}

/// The name of Apple's constant for `status` (such as `errSecItemNotFound`), or nil if it has none.
package func statusName(_ status: OSStatus) -> String? {
    StatusTable.row(for: status)?.name
}

/// A status as log lines show it: `errSecItemNotFound (-25300)`, or `OSStatus -1` if the code has no name.
package func statusDescription(_ status: OSStatus) -> String {
    statusName(status).map { "\($0) (\(status))" } ?? statusNumber(status)
}

private func statusNumber(_ status: OSStatus) -> String {
    "OSStatus \(status)"
}
