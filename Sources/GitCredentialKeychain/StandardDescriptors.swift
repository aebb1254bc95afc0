// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The descriptors of standard input, output and error.
package enum StandardDescriptors {
    /// Takes the place of those that are closed, so that no file gets their numbers: what is meant for standard error would be
    /// written into a backup, or a key would be read as a password. Reading and writing still fail, as with a closed one.
    package static func keepReserved() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", (descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_NOCTTY)
        }
    }
}
