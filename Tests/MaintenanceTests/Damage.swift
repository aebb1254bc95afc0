// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GRDB
import TestSupport

/// Changes of files without the program's knowledge.
enum HeaderForgery {
    /// The backup with a checksum that matches its header.
    static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes[..<64]) + SHA256.hash(data: bytes[..<64]).prefix(8) + bytes[72...]
    }
}

/// Overwrites the attributes of a row.
func damageRow(_ number: Int, in folder: String) throws {
    let queue = try DatabaseQueue(path: folder + "/items.db")
    try queue.write {
        try $0.execute(sql: "UPDATE item SET attributes = zeroblob(64) WHERE id = ?", arguments: [number])
    }
    try queue.close()
}
