// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

/// The kernel's list of mounted file systems, however long it is.
@Suite struct MountTableTests {
    /// The kernel returns such a file in pieces, and reports no size for it. This file ends with the stack of the main
    /// thread.
    @Test func fileOfTheKernel_isReadWhole() {
        let content = MountTable.content("/proc/self/smaps")
        #expect(content.utf8.count > 16_384)
        #expect(content.contains("[stack]"))
        #expect(MountTable.content("/proc/self/none") == "")
    }

    @Test func device_isFoundInALongTable() {
        let lines = (0..<500).map { "\($0) 1 0:\($0) / /run/\($0) rw,relatime shared:1 - type\($0) none rw" }
        let table = lines.joined(separator: "\n")
        for device in [0, 255, 256, 499] as [UInt64] {
            // The encoding of a minor number, as in makedev(3).
            let number = device & 0xff | (device & ~0xff) << 12
            #expect(MountTable.type(ofDevice: number, in: table) == "type\(device)")
        }
        #expect(MountTable.type(ofDevice: 0x100, in: table) == nil)
        #expect(MountTable.type(ofDevice: 0, in: "cut off 0:0") == nil)
    }
}
