import Foundation
import SecItemStore
import Testing

extension OnARealService {
    /// What is different about KeePassXC: a search finds nothing in a locked database.
    @Suite(.serialized, .enabled(if: World.provider == "keepassxc", "KeePassXC does not run"))
    struct KeePassXCTests {
        /// A KeePassXC of the test's own, which ends with its standard input.
        private final class Program {
            let world: World
            private let process = Process()
            private let input = Pipe()

            init() throws {
                let output = Pipe()
                process.executableURL = URL(fileURLWithPath: World.scripts + "/with-keepassxc")
                process.arguments = ["bash", "-c", "echo $SECITEM_KEYRING_WORLD; read"]
                process.standardInput = input
                process.standardOutput = output
                try process.run()
                let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                world = World(entering: line.trimmingCharacters(in: .whitespacesAndNewlines))
            }

            deinit {
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
            }
        }

        @Test func lockedDatabase_isNotTakenForAnEmptyOne() throws {
            let program = try Program()
            let store = program.world.store()
            let filter = RecordFilter.password("locked", "anna")
            try store.insert(.password("locked", "anna", "geheim"), interaction: .forbidden)
            try program.world.tool("secret-tool", "lock", "--collection=test")
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
