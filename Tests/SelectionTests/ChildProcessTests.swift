// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Programs and children that a process starts while it uses a store of its own.
@Suite(.timeLimit(.minutes(60))) struct ChildProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func embeddedStore_keepsItsPromisesToParentsAndChildren() throws {
        let environment = [
            "SECITEM_DIRECTORY": folder.path + "/store", "SECITEM_STORE": "embedded", "HOME": folder.path,
        ]
        try ForkCheck(environment, folder: folder.path).all()
    }
}
