// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The lines of git's input, up to an empty line or the end.
struct StandardInput: Sequence, IteratorProtocol {
    /// Git promises lines of at most 65,535 bytes with the line break. A longer line is refused, because if only its
    /// beginning were read, a server could choose how the rest is interpreted.
    static let longestLine = 65_534
    /// The limit for all lines together. They include headers from a server.
    static let longestRequest = 4 << 20

    private var buffer: [UInt8] = []
    private var start = 0
    private var taken = 0
    private var isAtEnd = false
    private let read: (Int) throws -> [UInt8]

    /// - Parameter read: Returns the next bytes, at most as many as requested, or none at the end.
    init(read: @escaping (Int) throws -> [UInt8] = StandardInput.readDescriptor) {
        self.read = read
    }

    mutating func next() -> Result<ArraySlice<UInt8>, HelperFailure>? {
        do throws(HelperFailure) {
            return try nextLine().map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    private mutating func nextLine() throws(HelperFailure) -> ArraySlice<UInt8>? {
        while true {
            let rest = buffer[start...]
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                start = end + 1
                return try line(rest[..<end])
            }
            if isAtEnd {
                start = buffer.endIndex
                return rest.isEmpty ? nil : try line(rest)
            }
            if rest.count > Self.longestLine { return try line(rest) }
            try fill(keeping: rest)
        }
    }

    /// - Returns: The line, or nil for the empty line that ends a request.
    private func line(_ bytes: ArraySlice<UInt8>) throws(HelperFailure) -> ArraySlice<UInt8>? {
        guard bytes.count <= Self.longestLine else { throw HelperFailure("a line of the request is too long") }
        return bytes.isEmpty ? nil : bytes
    }

    private mutating func fill(keeping rest: ArraySlice<UInt8>) throws(HelperFailure) {
        let more: [UInt8]
        do { more = try read(16 << 10) } catch { throw HelperFailure("cannot read the request: \(error)") }
        isAtEnd = more.isEmpty
        taken += more.count
        guard taken <= Self.longestRequest else { throw HelperFailure("the request is too long") }
        buffer = Array(rest) + more
        start = 0
    }

    static func readDescriptor(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while true {
                let length = Foundation.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
                if length >= 0 {
                    filled = length
                    return
                }
                guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            }
        }
    }
}
