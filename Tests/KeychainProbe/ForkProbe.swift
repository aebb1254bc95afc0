// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization

/// Children of a process that uses the keychain, in the store that the environment names.
enum ForkProbe {
    // Swift does not allow calling `fork` by its name.
    private static let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

    /// Runs `body` in a child.
    ///
    /// - Returns: What the child says.
    private static func child(_ body: () -> String) -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "no pipe" }
        let process = fork()
        if process == 0 {
            // Ends the child if it hangs.
            alarm(60)
            let bytes = Array(body().utf8)
            _ = write(ends[1], bytes, bytes.count)
            _exit(0)
        }
        close(ends[1])
        let said = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, 0) == process, status == 0 else { return "ended with \(status)" }
        return String(decoding: said, as: UTF8.self)
    }

    /// A child of a quiet process finds what is there, adds and ends, again and again. The parent goes on.
    static func quiet() {
        say("before \(add("before"))")
        for number in 0..<3 {
            say("child " + child { "\(find("before")) \(add("child \(number)")) \(find("child \(number)"))" })
            say("parent \(find("before")) \(find("child \(number)")) \(add("parent \(number)"))")
        }
    }

    /// A daemon: after a first look-up, it leaves its parent and its session, as `daemon(3)` does twice. Then it serves with
    /// several threads, one of which is the one that left.
    static func daemon() {
        say("before \(add("before"))")
        say(
            child {
                _ = setsid()
                return child {
                    // Swift's run time hangs in a forked child where threads compete for the first use of a static value.
                    _ = (find("before"), add("daemon"), find("daemon"))
                    let failures = Atomic(0)
                    let running = DispatchGroup()
                    let serve: @Sendable (Int) -> Void = { number in
                        for round in 0..<20 {
                            let account = "daemon \(number).\(round)"
                            if find("before") != errSecSuccess || add(account) != errSecSuccess
                                || find(account) != errSecSuccess
                            {
                                failures.add(1, ordering: .relaxed)
                            }
                        }
                    }
                    for number in 1..<4 {
                        running.enter()
                        var thread = pthread_t()
                        pthread_create(
                            &thread, nil,
                            { argument in
                                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                                return nil
                            },
                            Unmanaged.passRetained(
                                Work {
                                    serve(number)
                                    running.leave()
                                }
                            ).toOpaque())
                    }
                    serve(0)
                    running.wait()
                    return "failures \(failures.load(ordering: .relaxed))"
                }
            })
        say("parent \(find("before"))")
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Programs are run while eight threads use the store. None of them inherits a file of the store.
    static func programs(_ count: Int, folder: String) {
        let threads = Users(8)
        var failed = 0, inherited: [String] = []
        for number in 0..<count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/true")
            do { try process.run() } catch { failed += 1 }
            process.waitUntilExit()
            if process.terminationStatus != 0 { failed += 1 }
            if number % 10 == 0 { inherited += openFiles().filter { $0.contains(folder) } }
        }
        say("failed \(failed) inherited \(inherited) \(threads.check())")
    }

    /// The files of a program that is started without care.
    private static func openFiles() -> [String] {
        guard let pipe = popen("exec find /proc/self/fd -type l -printf '%l\\n'", "re") else { return ["no pipe"] }
        defer { pclose(pipe) }
        var text = Data()
        while case let byte = getc(pipe), byte != EOF { text.append(UInt8(byte)) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Children that end at once, while threads of the parent are inside calls.
    static func amid(_ count: Int) {
        let threads = Users(4)
        var ended = 0
        for _ in 0..<count {
            usleep(useconds_t.random(in: 0...10_000))
            let process = fork()
            if process == 0 { _exit(0) }
            var status: Int32 = 0
            if process > 0, waitpid(process, &status, 0) == process, status == 0 { ended += 1 }
        }
        say("ended \(ended) \(threads.check())")
    }

    /// Threads that add, find and delete items until they are told to stop.
    private final class Users: Sendable {
        private let isOver = Atomic(false)
        private let failures = Atomic(0)
        private let rounds: [Atomic64]
        /// Tells the items of this process apart.
        private let name = "\(getpid())"
        private let running = DispatchGroup()

        private final class Atomic64: Sendable {
            let value = Atomic(0)
        }

        init(_ count: Int) {
            rounds = (0..<count).map { _ in Atomic64() }
            for number in 0..<count {
                running.enter()
                Thread { [self] in
                    use(number)
                    running.leave()
                }.start()
            }
        }

        private func use(_ number: Int) {
            var round = 0
            while !isOver.load(ordering: .acquiring) || round < 3 {
                let account = "\(name).\(number).\(round)"
                let statuses = [
                    add(account), find(account), round % 3 == 2 ? SecItemDelete(password(account)) : errSecSuccess,
                ]
                if statuses != [errSecSuccess, errSecSuccess, errSecSuccess] {
                    failures.add(1, ordering: .relaxed)
                    say("\(account): \(statuses)")
                }
                round += 1
            }
            rounds[number].value.store(round, ordering: .releasing)
        }

        /// Stops the threads, and says how many items are not as they left them.
        func check() -> String {
            isOver.store(true, ordering: .releasing)
            running.wait()
            var wrong = 0
            for (number, count) in rounds.enumerated() {
                for round in 0..<count.value.load(ordering: .acquiring) {
                    let expected = round % 3 == 2 ? errSecItemNotFound : errSecSuccess
                    if find("\(name).\(number).\(round)") != expected { wrong += 1 }
                }
            }
            return "failures \(failures.load(ordering: .relaxed)) wrong \(wrong)"
        }
    }
}
