// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// Locked collections and the prompts that unlock them, on gnome-keyring.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring can be told to"))
    struct LockTests {
        let filter = RecordFilter.password("locked", "anna")

        /// A private bus with one item in a locked collection.
        private func lockedWorld(prompter: String? = nil, isLoaded: Bool = true) throws -> PrivateBus {
            let world = try PrivateBus()
            try world.store().insert(.password("locked", "anna", "geheim"), interaction: .forbidden)
            if isLoaded { try world.run("lock") } else { try world.run("restart", "locked") }
            if let prompter { try world.run("prompter", prompter) }
            return world
        }

        @Test(arguments: [true, false])
        func lookup_nobodyMayBeAsked_saysLockedAndShowsNothing(isLoaded: Bool) throws {
            let world = try lockedWorld(prompter: "answer", isLoaded: isLoaded)
            #expect(code { _ = try world.store(canPrompt: true).secret(filter, interaction: .forbidden) } == .locked)
            #expect(code { _ = try world.store(canPrompt: false).secret(filter, interaction: .allowed) } == .locked)
            #expect(try world.store(canPrompt: true).secret(filter, interaction: .skipped) == nil)
            #expect(try world.store().secret(.password("locked", "nobody"), interaction: .forbidden) == nil)
            #expect(world.prompterLog.isEmpty)
            #expect(try world.store().status().isLocked)
        }

        @Test func write_nobodyMayBeAsked_saysLockedAndChangesNothing() throws {
            let world = try lockedWorld()
            let store = world.store()
            let changes = RecordChanges.secret("x")
            #expect(code { try store.insert(.password("new", "a"), interaction: .forbidden) } == .locked)
            #expect(code { try store.insert(.password("locked", "anna"), interaction: .forbidden) } != nil)
            #expect(
                code { _ = try store.update(matching: filter, applying: changes, interaction: .forbidden) } == .locked)
            #expect(code { _ = try store.delete(matching: filter, interaction: .forbidden) } == .locked)
            try world.run("unlock")
            #expect(try store.secret(filter) == "geheim")
            #expect(try store.secret(.password("new", "a")) == nil)
        }

        @Test func keyring_withoutAPassword_isUnlockedWithoutAsking() throws {
            let world = try PrivateBus(.passwordless)
            try world.store().insert(.password("locked", "anna", "geheim"), interaction: .forbidden)
            try world.run("restart", "locked")
            #expect(try world.store().status().isLocked)
            #expect(try world.store(canPrompt: true).secret(filter, interaction: .forbidden) == "geheim")
            try world.run("restart", "locked")
            let changes = RecordChanges.secret("x")
            #expect(try world.store().update(matching: filter, applying: changes, interaction: .forbidden) == 1)
        }

        @Test func lookups_ofLockedItems_leaveNoQuestionsBehind() throws {
            let world = try lockedWorld()
            let store = world.store()
            for _ in 0..<500 { #expect(code { _ = try store.secret(filter, interaction: .allowed) } == .locked) }
            let prompts = try world.tool(
                "gdbus", "introspect", "--session", "-d", "org.freedesktop.secrets", "-o",
                "/org/freedesktop/secrets/prompt"
            )
            #expect(!prompts.contains("node /org/freedesktop/secrets/prompt/"), "\(prompts)")
            try world.run("unlock")
            #expect(try store.secret(filter) == "geheim")
        }

        @Test func attributes_ofALockedItem_areReadWhereTheyCanBe() throws {
            let world = try lockedWorld()
            let records = try world.store().records(
                matching: filter, parts: .attributes, limit: 1, interaction: .forbidden
            )
            #expect(records.first?.attributes[.account]?.string == "anna")
            try world.run("restart", "locked")
            let parts: RecordParts = .attributes
            #expect(
                code {
                    _ = try world.store().records(matching: filter, parts: parts, limit: 1, interaction: .forbidden)
                } == .locked)
        }

        @Test(arguments: ["answer", "wrong-then-answer"])
        func prompt_answered_unlocks(mode: String) throws {
            let world = try lockedWorld(prompter: mode)
            let store = world.store(canPrompt: true)
            #expect(try store.secret(filter) == "geheim")
            #expect(world.prompterLog.contains("PerformPrompt"))
            try world.run("lock")
            try store.insert(.password("new", "a"), interaction: .allowed)
            try world.run("lock")
            #expect(try store.delete(matching: .password("new", "a"), interaction: .allowed) == 1)
        }

        @Test(arguments: ["dismiss", "die"])
        func prompt_dismissed_isCancelled(mode: String) throws {
            let world = try lockedWorld(prompter: mode)
            #expect(code { _ = try world.store(canPrompt: true).secret(filter) } == .cancelled)
        }

        /// There is a display, it seems, and no program that could show a prompt on it.
        @Test func prompt_whereNobodyCouldBeAsked_isNotCancelled() throws {
            let world = try lockedWorld()
            let store = world.store(canPrompt: true)
            for body in [
                { _ = try store.secret(filter) }, { try store.insert(.password("new", "a"), interaction: .allowed) },
                { _ = try store.delete(matching: filter, interaction: .allowed) },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try body() }
                #expect(error?.code == .locked && error?.message.contains("nobody could be asked") == true, "\(error)")
            }
            let empty = try PrivateBus(.empty)
            #expect(
                code { try empty.store(canPrompt: true).insert(.password("first", "a"), interaction: .allowed) }
                    == .locked)
        }

        /// When any prompt ends, gnome-keyring treats it as the prompt on screen, and crashes.
        @Test(.timeLimit(.minutes(60))) func lookup_nobodyMayBeAsked_leavesTheServiceToAnothersPrompt() throws {
            let world = try lockedWorld(prompter: "hang")
            let failure = Shared<StoreError.Code?>(nil)
            let asking = Worker { [filter] in
                let code = code { _ = try world.store(canPrompt: true, promptTimeLimit: 5).secret(filter) }
                failure.change { $0 = code }
            }
            while !world.prompterLog.contains("BeginPrompting") { usleep(5000) }
            for _ in 0..<5 {
                #expect(
                    code { _ = try world.store(canPrompt: true).secret(filter, interaction: .forbidden) } == .locked)
            }
            asking.join()
            #expect(failure.value == .locked)
            #expect(code { _ = try world.store().secret(filter, interaction: .forbidden) } == .locked)
        }

        /// The order of the ends shows that each prompt has its own limit.
        @Test(.timeLimit(.minutes(60))) func prompt_neverAnswered_endsInTime() throws {
            let world = try lockedWorld(prompter: "hang")
            let store = world.store(canPrompt: true, promptTimeLimit: 1)
            let ended = Shared<[String]>([])
            let worker = Worker { [filter] in
                let patient = world.store(canPrompt: true, promptTimeLimit: 8)
                let code = code { _ = try patient.secret(filter) }
                ended.change { $0.append("patient: \(code?.name ?? "")") }
            }
            #expect(code { _ = try store.secret(filter) } == .locked)
            ended.change { $0.append("impatient") }
            worker.join()
            #expect(ended.value == ["impatient", "patient: locked"])
            // The service still works afterwards.
            try world.run("unlock")
            #expect(try store.secret(filter) == "geheim")
        }

        @Test func prompt_serviceDies_isUnavailable() throws {
            let world = try lockedWorld(prompter: "hang")
            let killer = Thread {
                usleep(500_000)
                try? world.run("kill")
            }
            killer.start()
            #expect(code { _ = try world.store(canPrompt: true).secret(filter) } == .unavailable)
        }

        @Test func collection_none_isMadeByAPromptOnly() throws {
            let world = try PrivateBus(.empty)
            let store = world.store(canPrompt: true)
            #expect(code { try store.insert(.password("first", "a"), interaction: .forbidden) } == .locked)
            #expect(try store.secret(.password("first", "a"), interaction: .forbidden) == nil)
            try world.run("prompter", "answer")
            try store.insert(.password("first", "a"), interaction: .allowed)
            #expect(try store.secret(.password("first", "a"), interaction: .forbidden) == "secret")
        }

        @Test func updateOfMany_lockedHalfWay_isFinishedOnceUnlocked() throws {
            let world = try PrivateBus()
            let store = world.store(canPrompt: true)
            for number in 0..<40 { try store.insert(.password("half", "\(number)", "old"), interaction: .forbidden) }
            try world.run("prompter", "answer")
            // This is the number of times that one call unlocks the collection again.
            let locker = Worker {
                for _ in 0..<2 { try? world.run("lock") }
            }
            let changes = RecordChanges(
                attributes: [.comment: .string("changed")], secrets: [.valueData: Secret(Data("new".utf8))]
            )
            for _ in 0..<4 {
                var count: Int?
                let failure = code {
                    count = try store.update(matching: .password("half"), applying: changes, interaction: .allowed)
                }
                // If the daemon is locked while an answer is on its way, it reports the prompt as dismissed.
                #expect(count == 40 || failure == .cancelled, "\(count ?? -1), \(failure?.name ?? "")")
            }
            locker.join()
            #expect(try store.update(matching: .password("half"), applying: changes, interaction: .allowed) == 40)
            let records = try store.all(.password("half"))
            #expect(records.count == 40)
            #expect(records.allSatisfy { $0.text == "new" && $0.attributes[.comment]?.string == "changed" })
            #expect(try store.delete(matching: .password("half"), interaction: .allowed) == 40)
        }

        @Test func underLoad_lockedAndUnlocked_isEitherLockedOrRight() throws {
            let world = try PrivateBus()
            let store = world.store()
            for number in 0..<4 {
                try store.insert(.password("load", "\(number)", "\(number)"), interaction: .forbidden)
            }
            let results = Shared<[String]>([])
            let isOver = Shared(false)
            let threads = (0..<4).map { number in
                Worker {
                    while !isOver.value {
                        do {
                            let secret = try store.secret(.password("load", "\(number)"), interaction: .forbidden)
                            results.change { $0.append(secret == "\(number)" ? "right" : "wrong") }
                        } catch {
                            results.change { $0.append((error as? StoreError)?.code.name ?? "other") }
                        }
                    }
                }
            }
            for _ in 0..<8 {
                try world.run("lock")
                try world.run("unlock")
            }
            isOver.change { $0 = true }
            threads.forEach { $0.join() }
            #expect(Set(results.value).isSubset(of: ["right", "locked"]))
            #expect(try store.all(.password("load")).count == 4)
        }

        @Test func underLoadOfProcesses_lockedAndUnlocked_isEitherLockedOrRight() throws {
            let world = try PrivateBus()
            for number in 0..<4 {
                try world.store().insert(.password("load", "\(number)", "\(number)"), interaction: .forbidden)
            }
            let workers = try (0..<4).map { number in
                let own = [Self.loadVariable: "\(number)", "SECITEM_KEYRING_WORLD": world.folder]
                return try Program.test("worker_looksUp", environment: world.environment.merging(own) { $1 }).start()
            }
            for _ in 0..<12 {
                try world.run("lock")
                try world.run("unlock")
            }
            for worker in workers {
                let found = Set(try worker.waitUntilExit().lines.filter { $0.hasPrefix("found ") })
                #expect(found.contains("found right"))
                #expect(found.isSubset(of: ["found right", "found locked"]))
            }
        }

        private static let loadVariable = "SECITEM_LOAD_ACCOUNT"
        private static let loadAccount = ProcessInfo.processInfo.environment[loadVariable]

        /// The work of each of the processes.
        @Test(.enabled(if: loadAccount != nil, "only as a process of underLoadOfProcesses"))
        func worker_looksUp() throws {
            let store = try #require(PrivateBus.shared).store()
            let account = try #require(Self.loadAccount)
            for _ in 0..<400 {
                let found: String
                do {
                    let secret = try store.secret(.password("load", account), interaction: .forbidden)
                    found = secret == account ? "right" : "wrong"
                } catch {
                    found = (error as? StoreError)?.code.name ?? "other"
                }
                FileHandle.standardOutput.write(Data("found \(found)\n".utf8))
                usleep(2_000)
            }
        }
    }
}
