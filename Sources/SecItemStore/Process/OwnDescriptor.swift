// SPDX-License-Identifier: Apache-2.0

import Foundation

/// File descriptors that are no program's standard input, output or error.
package enum OwnDescriptor {
    /// The open file under a number above those three.
    ///
    /// A program that goes into the background closes them, and the next file that is opened gets their numbers. Whatever the
    /// program prints later would be written to that file.
    ///
    /// - Parameter descriptor: What `open` returned; closed if it is one of the three.
    /// - Returns: The descriptor; -1 with `errno` if there is none.
    package static func aboveStandard(_ descriptor: Int32) -> Int32 {
        guard (STDIN_FILENO...STDERR_FILENO).contains(descriptor) else { return descriptor }
        let higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let reason = errno
        close(descriptor)
        errno = reason
        return higher
    }
}
