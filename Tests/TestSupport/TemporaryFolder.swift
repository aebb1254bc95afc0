// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that only this user can enter. It is removed when the value is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
        var template = Array((parent + "/secitem-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ProgramFailure("no folder in \(parent): \(lastSystemError)") }
        // Without links, so that it is the path that the kernel tells.
        guard let real = realpath(template, nil) else { throw ProgramFailure("no folder: \(lastSystemError)") }
        defer { free(real) }
        path = String(cString: real)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }
}

/// The error of the last system call, as text.
var lastSystemError: String { String(cString: strerror(errno)) }
