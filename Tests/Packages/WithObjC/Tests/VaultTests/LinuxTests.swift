// SPDX-License-Identifier: Apache-2.0

import Testing
import Vault

/// A test for Linux only: the copies refer to the original files.
@Suite struct LinuxTests {
    @Test func copySaysWhereItsSourceIs() {
        #expect(Vault.sourceFile.hasSuffix("Apple/Sources/Vault.swift"))
    }
}
