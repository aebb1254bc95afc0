// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The mounted file systems, as `/proc/self/mountinfo` lists them.
package enum MountTable {
    /// The type of the file system on that device; nil if the list does not contain the device.
    package static func type(
        ofDevice number: UInt64, in table: String = Self.content("/proc/self/mountinfo")
    ) -> String? {
        let (major, minor) = numbers(ofDevice: number)
        let device = "\(major):\(minor)"
        for line in table.split(separator: "\n") {
            // proc(5): number, parent, device, root, mount point, options …, "-", type …
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == device, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    /// The two numbers of a device: reverses makedev(3).
    package static func numbers(ofDevice number: UInt64) -> (major: UInt64, minor: UInt64) {
        (number >> 8 & 0xfff | number >> 32 & ~0xfff, number & 0xff | number >> 12 & 0xffff_ff00)
    }

    /// Whether a file with that status is on a tmpfs or ramfs.
    package static func isInMemory(_ status: stat) -> Bool {
        ["tmpfs", "ramfs"].contains(type(ofDevice: UInt64(status.st_dev)))
    }

    /// The whole file, as far as it can be read. Foundation stops after the first read of such a file, which gives less
    /// than 4 KiB.
    package static func content(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            content += piece[..<count]
        }
        return String(decoding: content, as: UTF8.self)
    }
}
