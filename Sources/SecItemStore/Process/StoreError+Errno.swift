// SPDX-License-Identifier: Apache-2.0

import Foundation

// Converts the system's error numbers to errors of a store.

extension StoreError {
    /// A file or folder could not be opened or read.
    package init(openingFailed path: String, errno number: Int32) {
        self.init(number == EIO ? .io : .unavailable, "\(path): \(Self.text(ofErrno: number))")
    }

    /// A file or folder could not be created or written.
    package init(writingFailed path: String, errno number: Int32) {
        let code: Code =
            switch number {
            case EROFS: .readOnly
            case _ where Self.meansFull(number): .full
            case EIO: .io
            default: .unavailable
            }
        self.init(code, "\(path): \(Self.text(ofErrno: number))")
    }

    /// Whether the disk, the user's quota or the process's file size limit is exhausted.
    package static func meansFull(_ number: Int32) -> Bool {
        [ENOSPC, EDQUOT, EFBIG].contains(number)
    }

    /// The system's description of an error number.
    package static func text(ofErrno number: Int32) -> String {
        String(cString: strerror(number))
    }
}
