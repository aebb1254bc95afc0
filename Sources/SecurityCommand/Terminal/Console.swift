// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What the command writes.
///
/// Bytes go out at once, unbuffered but for whole texts. Where nobody reads any more, SIGPIPE ends the program as it ends any
/// other: each command writes before it changes something, or after it has.
enum Console {
    /// The number of the error that kept something from being written, or 0.
    private static let failure = Atomic<Int32>(0)

    /// The exit status of a command that answered `status`: what could not be written is no success.
    static func finish(_ status: Int32) -> Int32 {
        let number = failure.load(ordering: .relaxed)
        guard number != 0, status == 0 else { return status }
        error("security: the output cannot be written: \(String(cString: strerror(number)))")
        return 1
    }

    /// Throws when something could not be written: before a change is made that had to be shown.
    static func requireWritten() throws {
        let number = failure.load(ordering: .relaxed)
        guard number != 0 else { return }
        throw CommandFailure("the output cannot be written: \(String(cString: strerror(number)))")
    }

    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        write(Array(text.utf8), to: descriptor)
    }

    /// Writes a line on standard error.
    static func error(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
        bytes.withUnsafeBytes { write($0, to: descriptor) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let count = Foundation.write(descriptor, start, rest.count)
            let number = count < 0 ? errno : 0
            if number == EAGAIN {
                // Somebody else has made it non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if number != 0 && number != EINTR {
                return failure.store(number, ordering: .relaxed)
            }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
