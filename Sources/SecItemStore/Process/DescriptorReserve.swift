// SPDX-License-Identifier: Apache-2.0

import Foundation

/// File descriptors for code of others that ends the process if it cannot have them.
package enum DescriptorReserve {
    /// Why the process cannot open that many more files, as an error number; nil if it can.
    package static func shortage(of count: Int) -> CInt? {
        var taken: [CInt] = []
        defer { taken.forEach { close($0) } }
        while taken.count < count {
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return errno }
            taken.append(descriptor)
        }
        return nil
    }
}
