// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The open files that a program inherits if it is started now as most programs start others, without the care that
/// ``Program`` takes. Only those whose paths begin with `prefix`, because other tests open files too.
package func inheritedFiles(below prefix: String) throws -> [String] {
    guard let pipe = popen("exec find /proc/self/fd -type l -printf '%l\\n'", "re") else {
        throw ProgramFailure("popen: \(String(cString: strerror(errno)))")
    }
    defer { pclose(pipe) }
    var text = Data()
    while case let byte = getc(pipe), byte != EOF { text.append(UInt8(byte)) }
    let files = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    // It lists the pipe through which it says so.
    guard files.contains(where: { $0.hasPrefix("pipe:") }) else { throw ProgramFailure("find listed no files") }
    return files.filter { $0.hasPrefix(prefix) }
}
