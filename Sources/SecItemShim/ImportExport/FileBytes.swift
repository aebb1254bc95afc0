import Foundation

/// The bytes of a file that a caller gives.
enum FileBytes {
    /// As many bytes as an item's data may have.
    static let greatestSize = 16 << 20

    /// - Throws: `errSecDataTooLarge` above 16 MiB.
    static func slice(_ data: NSData) throws(KeychainError) -> ArraySlice<UInt8> {
        guard data.length <= greatestSize else {
            throw KeychainError(errSecDataTooLarge, "the file has more than \(greatestSize) bytes")
        }
        return Array(UnsafeRawBufferPointer(start: data.bytes, count: data.length))[...]
    }
}
