// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that only this user can enter, removed when the value goes.
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

/// What the last system call failed with, in words.
var lastSystemError: String { String(cString: strerror(errno)) }
