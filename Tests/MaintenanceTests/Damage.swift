// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import TestSupport

@testable import SecItemSQLite

/// Changes of files without the program's knowledge.
enum HeaderForgery {
    /// The backup with a checksum that matches its header.
    static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes[..<64]) + SHA256.hash(data: bytes[..<64]).prefix(8) + bytes[72...]
    }
}

/// Overwrites the attributes of a row.
func damageRow(_ number: Int, in folder: String) throws {
    try changeRows("UPDATE item SET attributes = zeroblob(64) WHERE id = \(number)", in: folder)
}

/// Runs a statement on the database of a keychain.
func changeRows(_ sql: String, in folder: String) throws {
    let database = try Database(folder + "/items.db", .writing)
    try database.execute(sql)
    database.close()
}
