// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that only this user can enter. It is removed when the value is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
        var template = Array((parent + "/secitem-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ProgramFailure("no folder in \(parent): \(lastSystemError)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }
}

/// The error of the last system call, as text.
var lastSystemError: String { String(cString: strerror(errno)) }
