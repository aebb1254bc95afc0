// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization

/// Standard input, line by line: for interactive mode, and for passwords where there is no terminal. Both read from one buffer.
final class StandardInput: Sendable {
    static let shared = StandardInput()

    /// No line of commands, and no password, is longer.
    private static let greatestLength = 1 << 20

    private let buffer = Mutex<[UInt8]>([])

    /// The next line without its line break, or nil at the end of input. Who asks for a secret wipes it.
    ///
    /// - Parameter wait: Runs before more input is read.
    /// - Throws: ``CommandFailure`` when the line is longer than a megabyte, or input cannot be read.
    func line(waiting wait: () -> Void = {}) throws -> [UInt8]? {
        try buffer.withLock { buffer in
            var searched = 0
            while true {
                if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { Self.removeFirst(end + 1, of: &buffer) }
                    return Array(buffer[..<end])
                }
                searched = buffer.count
                guard searched <= Self.greatestLength else { throw CommandFailure("a line of input is too long") }
                wait()
                guard try Self.readMore(&buffer) else {
                    defer { Self.removeFirst(buffer.count, of: &buffer) }
                    return buffer.isEmpty ? nil : Array(buffer)
                }
            }
        }
    }

    private static func readMore(_ buffer: inout [UInt8]) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        defer { chunk.withUnsafeMutableBytes { $0.wipe() } }
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure("standard input cannot be read") }
            append(chunk[..<count], to: &buffer)
            return count > 0
        }
    }

    /// What a growing array leaves behind may be a secret.
    private static func append(_ bytes: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        var longer: [UInt8] = []
        longer.reserveCapacity(buffer.count + bytes.count)
        longer += buffer
        longer += bytes
        buffer.withUnsafeMutableBytes { $0.wipe() }
        buffer = longer
    }

    private static func removeFirst(_ count: Int, of buffer: inout [UInt8]) {
        let rest = Array(buffer[count...])
        buffer.withUnsafeMutableBytes { $0.wipe() }
        buffer = rest
    }
}
