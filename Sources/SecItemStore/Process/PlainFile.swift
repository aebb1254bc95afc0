// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads and writes open files, with the errors of a store.
package enum PlainFile {
    package static func write(_ bytes: [UInt8], to file: Int32) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return Foundation.write(file, rest.baseAddress, rest.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("the file cannot be written") }
            written += count
        }
    }

    /// The next bytes. There are fewer only at the end.
    package static func read(_ count: Int, from file: Int32) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return Foundation.read(file, rest.baseAddress, rest.count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure("the file cannot be read") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }

    /// The system's description of the last failure.
    package static func failure(_ what: String, _ number: Int32 = errno) -> StoreError {
        let error = StoreError(writingFailed: what, errno: number)
        return StoreError(error.code, error.message, underlying: FileFailure())
    }
}

/// The cause of a failure that is no store's: a file that the caller named cannot be read, or must not be replaced.
package struct FileFailure: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the file, not the keychain" }
}
