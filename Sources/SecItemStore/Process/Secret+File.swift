// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Secret {
    /// The bytes of an open file of at most 4096 bytes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if it is longer; otherwise the reason why it cannot be read.
    package convenience init(readingSmallFile file: Int32, path: String) throws(StoreError) {
        var count = 0
        let buffer = try Secret.make(count: 4097) { (buffer) throws(StoreError) in
            while count < buffer.count {
                let got = Foundation.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if got < 0 && errno == EINTR { continue }
                guard got >= 0 else { throw StoreError(openingFailed: path, errno: errno) }
                if got == 0 { break }
                count += got
            }
        }
        guard count <= 4096 else { throw StoreError(.corrupt, "\(path) is too long for a file of this kind") }
        self.init(count: count) { target in
            buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// Writes the bytes to an empty, open file, and the file to the disk.
    ///
    /// - Returns: The error number of a failure, or nil.
    package func write(toEmptyFile file: Int32) -> Int32? {
        withUnsafeBytes { bytes in
            errno = 0
            if Foundation.write(file, bytes.baseAddress, bytes.count) != bytes.count {
                // A full disk cut the write short. Only a second write would report the error.
                return errno == 0 ? ENOSPC : errno
            }
            return fsync(file) == 0 ? nil : errno
        }
    }
}
