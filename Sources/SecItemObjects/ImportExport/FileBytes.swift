// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a file from a caller.
enum FileBytes {
    /// Far more than a file of keys has. Reading makes some copies of the file.
    static let greatestSize = 8 << 20

    /// - Throws: `errSecDataTooLarge` above 8 MiB.
    static func slice(_ data: NSData) throws(KeychainError) -> ArraySlice<UInt8> {
        guard data.length <= greatestSize else {
            throw KeychainError(errSecDataTooLarge, "the file has more than \(greatestSize) bytes")
        }
        return Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))[...]
    }
}
