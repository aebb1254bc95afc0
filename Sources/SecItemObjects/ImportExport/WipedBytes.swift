// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Bytes that may be secret. They are wiped when nothing refers to them any more.
final class WipedBytes {
    private var bytes: [UInt8]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Lends the bytes. The body must not keep the slice, because the wipe would then change only a copy.
    func withBytes<R, Failure: Error>(_ body: (ArraySlice<UInt8>) throws(Failure) -> R) throws(Failure) -> R {
        try body(bytes[...])
    }

    deinit {
        bytes.wipe()
    }
}

extension [UInt8] {
    /// Overwrites the elements with zeros. If another array shares the storage, that array keeps its elements.
    mutating func wipe() {
        withUnsafeMutableBytes { $0.wipe() }
    }
}
