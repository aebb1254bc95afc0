import Foundation

/// What the command writes.
///
/// Bytes go out at once, unbuffered but for whole texts. Where nobody reads any more, SIGPIPE ends the program as it ends any
/// other: each command writes before it changes something, or after it has.
enum Console {
    /// Writes text as it is.
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
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
