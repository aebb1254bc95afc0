// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file descriptor, and the file that it was opened for.
struct OpenFile {
    let descriptor: Int32
    let identity: FileIdentity

    /// Nil if nothing is open with that number.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.descriptor = descriptor
        identity = FileIdentity(status)
    }

    /// Every number under which this process has a file open.
    static func all(_ identity: FileIdentity) -> [OpenFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.compactMap(OpenFile.init).filter { $0.identity == identity }
    }

    /// Whether the number is not that of another file by now.
    var isTheSame: Bool { OpenFile(descriptor)?.identity == identity }
}
