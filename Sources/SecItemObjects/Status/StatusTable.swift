// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One status code: its value, the constant's name, and one sentence for people.
package struct StatusRow: Sendable {
    /// The code.
    package let status: OSStatus
    /// The name of Apple's constant for the code.
    package let name: String
    /// What the code means, as one sentence.
    package let sentence: String

    init(_ status: OSStatus, _ name: String, _ sentence: String) {
        self.status = status
        self.name = name
        self.sentence = sentence
    }
}

/// All statuses, for ``SecCopyErrorMessageString(_:_:)`` and the log.
///
/// The table is built when it is first needed and kept, because most programs never ask for a sentence.
package enum StatusTable {
    private static let rowsByStatus: [OSStatus: StatusRow] =
        Dictionary(rows.map { ($0.status, $0) }, uniquingKeysWith: { preferred, _ in preferred })

    /// The row of `status`, or nil if the code is not one of Apple's.
    package static func row(for status: OSStatus) -> StatusRow? {
        rowsByStatus[status]
    }
}
