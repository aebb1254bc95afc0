// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemGnome

/// The queue of writers: they write in the order in which they asked, whatever happens to others.
@Suite(.timeLimit(.minutes(60)))
struct WriteLockTests {
    private let folder: TemporaryFolder
    private static let folderVariable = "SECITEM_QUEUE_FOLDER"
    private static let roleVariable = "SECITEM_QUEUE_ROLE"
    private static let role = ProcessInfo.processInfo.environment[roleVariable]

    init() throws {
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }
    private var file: String { folder.path + "/secitem/secret-service.queue" }

    /// The number of places that have been taken.
    private var drawn: Int {
        guard let bytes = FileManager.default.contents(atPath: file), bytes.count >= 8 else { return 0 }
        return Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    private func waitUntil(_ isSo: () -> Bool) {
        while !isSo() { usleep(1000) }
    }

    private func start(_ role: String) throws -> RunningProgram {
        let own = [Self.roleVariable: role, Self.folderVariable: folder.path]
        let environment = Program.inheritedEnvironment.merging(own) { $1 }
        return try Program.test("queueWorker_waitsItsTurn", environment: environment).start()
    }

    /// The work of each of the processes.
    @Test(.enabled(if: role != nil, "only as a process of one of these tests"))
    func queueWorker_waitsItsTurn() throws {
        let folder = try #require(ProcessInfo.processInfo.environment[Self.folderVariable])
        let lock = WriteLock(environment: ["XDG_RUNTIME_DIR": folder])
        var patience = 60.0
        func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
        try lock.withLock(patience: &patience) {
            switch Self.role {
            case "note":
                let log = try #require(FileHandle(forWritingAtPath: folder + "/log"))
                try log.seekToEnd()
                try log.write(contentsOf: Data("process\n".utf8))
            case "hold":
                say("inside")
                pause()
            default: Issue.record("no such role")
            }
        }
    }

    @Test func waiters_threadsAndProcesses_areServedInTheOrderInWhichTheyCame() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/log"))
        let lock = WriteLock(environment: environment)
        let order = Shared<[Int]>([])
        var workers: [Worker] = []
        var programs: [RunningProgram] = []
        var patience = 60.0
        try lock.withLock(patience: &patience) {
            for number in 0..<8 {
                let before = drawn
                if number % 2 == 0 {
                    let other = WriteLock(environment: environment)
                    let log = folder.path + "/log"
                    workers.append(
                        Worker {
                            var patience = 60.0
                            try? other.withLock(patience: &patience) {
                                order.change { $0.append(number) }
                                let noted = try? String(contentsOfFile: log, encoding: .utf8)
                                // The number of processes that were served equals the number before this one.
                                order.change { $0.append((noted ?? "").split(separator: "\n").count * 2) }
                            }
                        })
                } else {
                    programs.append(try start("note"))
                }
                waitUntil { drawn > before }
            }
        }
        workers.forEach { $0.join() }
        for program in programs { #expect(try program.waitUntilExit().status == 0) }
        #expect(order.value == [0, 0, 2, 2, 4, 4, 6, 6])
    }

    @Test func holder_andWaiter_killed_blockNobody() throws {
        let holder = try start("hold")
        try holder.waitFor(line: "inside")
        let waiter = try start("hold")
        waitUntil { drawn == 2 }
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

    @Test func deletedFile_isNotTheOneThatIsHeld() throws {
        let held = try start("hold")
        try held.waitFor(line: "inside")
        let inside = Shared(0), finished = Shared(0), environment = environment
        func worker() -> Worker {
            Worker {
                var patience = 60.0
                try? WriteLock(environment: environment).withLock(patience: &patience) {
                    inside.change { $0 += 1 }
                    #expect(inside.value == 1)
                    usleep(20_000)
                    inside.change { $0 -= 1 }
                    finished.change { $0 += 1 }
                }
            }
        }
        // In the end there are two queues: one process waits in the deleted one, and the others start a new one.
        var workers = [worker()]
        waitUntil { drawn == 2 }
        unlink(file)
        workers += [worker(), worker()]
        waitUntil { drawn == 2 }
        usleep(50_000)
        #expect(finished.value == 0 && inside.value == 0)
        held.kill()
        for worker in workers { worker.join() }
        #expect(finished.value == 3)
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
