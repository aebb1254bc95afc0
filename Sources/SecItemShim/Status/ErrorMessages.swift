// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives a sentence that says what a status code means.
///
/// The sentences are this library's own, in English; programs should compare codes, never sentences.
///
///     let status = SecItemAdd(attributes as CFDictionary, nil)
///     if status != errSecSuccess {
///         print(SecCopyErrorMessageString(status, nil) as String? ?? "")
///     }
///
/// - Parameters:
///   - status: The code that a call returned.
///   - reserved: Pass nil; the value is not looked at.
/// - Returns: The sentence, or `OSStatus` and the number for a code that is not one of Apple's. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: StatusTable.row(for: status)?.sentence ?? statusNumber(status))
}

/// The name of Apple's constant for `status` (`errSecItemNotFound`), or nil if it has none.
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
