// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemGnome

/// Writers take turns, whatever happens to others.
@Suite(.timeLimit(.minutes(60)))
struct WriteLockTests {
    private let folder: TemporaryFolder
    private static let folderVariable = "SECITEM_LOCK_FOLDER"
    private static let roleVariable = "SECITEM_LOCK_ROLE"
    private static let role = ProcessInfo.processInfo.environment[roleVariable]
    /// How many threads each process has, and how often each of them writes.
    private static let threads = 4, rounds = 25

    init() throws {
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }

    private func start(_ role: String) throws -> RunningProgram {
        let own = [Self.roleVariable: role, Self.folderVariable: folder.path]
        let environment = Program.inheritedEnvironment.merging(own) { $1 }
        return try Program.test("lockWorker_waitsItsTurn", environment: environment).start()
    }

    /// The work of each of the processes.
    @Test(.enabled(if: role != nil, "only as a process of one of these tests"))
    func lockWorker_waitsItsTurn() throws {
        let folder = try #require(ProcessInfo.processInfo.environment[Self.folderVariable])
        switch Self.role {
        case "write":
            let workers = (0..<Self.threads).map { _ in
                Worker { for _ in 0..<Self.rounds { Self.write(in: folder) } }
            }
            for worker in workers { worker.join() }
        case "hold":
            var patience = 60.0
            try WriteLock(environment: ["XDG_RUNTIME_DIR": folder]).withLock(patience: &patience) {
                FileHandle.standardOutput.write(Data("inside\n".utf8))
                pause()
            }
        default: Issue.record("no such role")
        }
    }

    /// Counts the writers. Prints how many others had their turn since this one asked for it, or a complaint.
    private static func write(in folder: String) {
        func number() -> Int { Int((try? String(contentsOfFile: folder + "/turns", encoding: .utf8)) ?? "") ?? 0 }
        var patience = 60.0, line = "failed"
        let before = number()
        try? WriteLock(environment: ["XDG_RUNTIME_DIR": folder]).withLock(patience: &patience) {
            let turn = number()
            usleep(2_000)
            line = number() == turn ? "waited \(turn - before)" : "two at once"
            try "\(turn + 1)".write(toFile: folder + "/turns", atomically: true, encoding: .utf8)
        }
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Nobody is left behind while others write again and again.
    @Test func writers_ofFourProcesses_takeTurns() throws {
        let programs = try (0..<4).map { _ in try start("write") }
        let outputs = try programs.map { try $0.waitUntilExit().output }
        let lines = outputs.flatMap { $0.split(separator: "\n") }
        let waits = lines.filter { $0.hasPrefix("waited ") }.compactMap { Int($0.dropFirst(7)) }.sorted()
        try #require(waits.count == programs.count * Self.threads * Self.rounds)
        #expect(!lines.contains("failed") && !lines.contains("two at once"))
        let median = waits[waits.count / 2], longest = waits[waits.count - 1]
        print("write lock: waited for \(median) others in the median, and for at most \(longest)")
        #expect(longest <= 20 * max(1, median))
    }

    @Test func holder_andWaiter_killed_blockNobody() throws {
        let holder = try start("hold")
        try holder.waitFor(line: "inside")
        let waiter = try start("hold")
        while !FileManager.default.fileExists(atPath: folder.path + "/secitem/secret-service.next") { usleep(1000) }
        waiter.send(SIGKILL)
        holder.send(SIGKILL)
        var patience = 30.0
        try WriteLock(environment: environment).withLock(patience: &patience) {}
    }

    @Test func waits_areCountedIntoOneLimit() throws {
        let lock = WriteLock(environment: environment)
        var patience = 60.0
        var others = 0.4
        try lock.withLock(patience: &patience) {
            #expect(code { try WriteLock(environment: environment).withLock(patience: &others) {} } == .io)
        }
        #expect(others <= 0)
        // Nothing is left behind, even if no process waits any more.
        var left = 60.0
        try lock.withLock(patience: &left) {
            #expect(code { try lock.withLock(patience: &others) {} } == .io)
        }
    }

    /// The writer has the lock of the folder, which stays when somebody deletes the files in it.
    @Test func deletedFile_letsNobodyIn() throws {
        let held = try start("hold")
        try held.waitFor(line: "inside")
        #expect(unlink(folder.path + "/secitem/secret-service.next") == 0)
        var patience = 0.2
        #expect(code { try WriteLock(environment: environment).withLock(patience: &patience) {} } == .io)
        held.kill()
        patience = 60
        try WriteLock(environment: environment).withLock(patience: &patience) {}
    }

    // MARK: Folder

    @Test func folder_isTheUsersOwn() throws {
        let home = folder.path + "/home"
        func made(_ environment: [String: String], logins: String = "/nonexistent") throws -> String {
            try LockFolder(environment: environment, logins: logins).make()
        }
        let runtime = folder.path + "/run"
        #expect(try made(["XDG_RUNTIME_DIR": runtime, "HOME": home]) == runtime + "/secitem")
        let state = folder.path + "/state"
        #expect(try made(["XDG_STATE_HOME": state, "HOME": home]) == state + "/secitem")
        #expect(try made(["HOME": home]) == home + "/.local/state/secitem")
        #expect(try made(["HOME": home, "XDG_RUNTIME_DIR": "relative"]) == home + "/.local/state/secitem")
        #expect(code { _ = try made([:]) } == .unavailable)
        let logins = folder.path + "/logins"
        mkdir(logins, 0o755)
        mkdir("\(logins)/\(getuid())", 0o700)
        #expect(try made(["HOME": home], logins: logins) == "\(logins)/\(getuid())/secitem")
        var status = stat()
        #expect(lstat(home + "/.local/state/secitem", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func folder_thatOthersCanEnter_isRefused() throws {
        let shared = folder.path + "/shared", linked = folder.path + "/linked"
        for path in [shared, linked] { mkdir(path, 0o700) }
        mkdir(shared + "/secitem", 0o700)
        chmod(shared + "/secitem", 0o777)
        symlink(shared, linked + "/secitem")
        for path in [shared, linked] {
            #expect(code { _ = try LockFolder(environment: ["XDG_RUNTIME_DIR": path]).make() } == .io)
        }
    }
}

/// Addresses of a session bus that are accepted.
@Suite struct SessionBusAddressTests {
    private func find(_ address: String, isElevated: Bool = false) -> String? {
        let environment = ["DBUS_SESSION_BUS_ADDRESS": address]
        return try? SessionBusAddress.find(in: environment, isElevated: isElevated)
    }

    @Test(arguments: [
        "tcp:host=localhost,port=1", "nonce-tcp:host=localhost,port=1", "unixexec:path=/bin/true", "launchd:env=X",
        "autolaunch:", "unix:path=/a;tcp:host=localhost", "tcp:host=a;unix:path=/a", ";", "path=/a", "unix",
        "Unix:path=/a",
        "unix:path=/a;autolaunch:",
    ])
    func otherThanASocketOnThisMachine_isRefused(address: String) {
        #expect(find(address) == nil)
    }

    @Test func socketOnThisMachine_isTaken() {
        for address in ["unix:path=/run/user/1/bus", "unix:abstract=/a", "unix:path=/a;unix:path=/b", "unix:path=/a;"] {
            #expect(find(address) == address)
        }
    }

    @Test func moreRightsThanTheUser_noBus() {
        #expect(find("unix:path=/a", isElevated: true) == nil)
    }
}
