// SPDX-License-Identifier: Apache-2.0

import Testing
import Vault

/// What is only asked on Linux: that the copies tell where they come from.
@Suite struct LinuxTests {
    @Test func copySaysWhereItsSourceIs() {
        #expect(Vault.sourceFile.hasSuffix("Apple/Sources/Vault.swift"))
    }
}
