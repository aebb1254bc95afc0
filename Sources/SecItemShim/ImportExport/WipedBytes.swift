// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Bytes that were decrypted; wiped when nobody uses them any more.
final class WipedBytes {
    private var bytes: [UInt8]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Lends the bytes; a slice of them that is kept would keep them from being wiped.
    func withBytes<R, Failure: Error>(_ body: (ArraySlice<UInt8>) throws(Failure) -> R) throws(Failure) -> R {
        try body(bytes[...])
    }

    deinit {
        bytes.wipe()
    }
}

extension [UInt8] {
    /// Overwrites the elements with zeros. Those of an array that has them in common with another stay there.
    mutating func wipe() {
        withUnsafeMutableBytes { $0.wipe() }
    }
}
