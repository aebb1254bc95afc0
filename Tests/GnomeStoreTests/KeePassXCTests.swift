// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// A peculiarity of KeePassXC: a search in a locked database finds nothing.
    @Suite(.serialized, .enabled(if: PrivateBus.provider == "keepassxc", "KeePassXC does not run"))
    struct KeePassXCTests {
        @Test func lockedDatabase_isNotTakenForAnEmptyOne() throws {
            // A KeePassXC for this test alone. It ends with its standard input.
            let script = ["bash", "-c", "echo $SECITEM_KEYRING_WORLD; echo started; read"]
            let program = try Program(PrivateBus.scripts + "/with-keepassxc", script).start()
            defer { _ = try? program.waitUntilExit() }
            try program.waitFor(line: "started")
            let world = PrivateBus(entering: program.outputSoFar.components(separatedBy: "\n")[0])
            let store = world.store()
            let filter = RecordFilter.password("locked", "anna")
            try store.insert(.password("locked", "anna", "geheim"), interaction: .forbidden)
            try world.tool("secret-tool", "lock", "--collection=test")
            #expect(try store.status().isLocked)
            let changes = RecordChanges.secret("x")
            #expect(code { _ = try store.secret(filter, interaction: .forbidden) } == .locked)
            #expect(code { _ = try store.all(filter) } == .locked)
            #expect(try store.secret(filter, interaction: .skipped) == nil)
            #expect(code { try store.insert(.password("new", "a"), interaction: .forbidden) } == .locked)
            #expect(
                code { _ = try store.update(matching: filter, applying: changes, interaction: .forbidden) } == .locked)
            #expect(code { _ = try store.delete(matching: filter, interaction: .forbidden) } == .locked)
        }
    }
}
