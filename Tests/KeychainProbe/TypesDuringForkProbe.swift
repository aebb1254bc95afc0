// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Finds out whether calls make types of Swift while a fork is under way.
///
/// Swift makes a generic type at its first use, under a lock of its runtime. A child that is forked meanwhile waits for
/// ever if it needs this type, because the thread that was making it does not exist there. So the first call of a kind
/// waits for a fork before it makes anything, and a fork waits for such a call.
enum TypesDuringForkProbe {
    /// Begins each call during a fork. Prints the calls that made types before the fork was over.
    ///
    /// - Parameter order: "reversed" for the reverse order of the calls that need no object of another one, because a
    ///   call makes no type that an earlier one has made.
    static func run(_ all: (makers: [ObjectUse], others: [ObjectUse]), order: String) {
        let uses = all.makers + (order == "reversed" ? all.others.reversed() : all.others)
        // Ends the process if it hangs.
        alarm(300)
        // The program's own handler runs after the library's, which is registered later: the library has stopped.
        pthread_atfork({ TypesDuringForkProbe.begin() }, nil, nil)
        // Registers the library's handlers.
        let early = InMemoryStore()
        // Here the probe makes the types that it needs itself.
        for _ in 0..<2 { fork(during: ObjectUse("nothing") {}) }
        for use in uses {
            fork(during: use)
            if made != 0 { say("\(use.name): \(made) bytes") }
        }
        say("\(uses.count) calls")
        withExtendedLifetime(early) {}
    }

    private static func fork(during use: ObjectUse) {
        body = use.body
        let child = forkProcess()
        if child == 0 { _exit(0) }
        waitpid(child, nil, 0)
        pthread_join(thread, nil)
        close(file.pointee)
    }

    // Used by one thread at a time.
    private nonisolated(unsafe) static var body: () -> Void = {}
    private nonisolated(unsafe) static var thread = pthread_t()
    private nonisolated(unsafe) static var made = 0

    // MARK: During the fork

    /// Runs the body in a thread of its own until it ends, or waits for the fork.
    private static func begin() {
        let before = roomForTypes
        file.pointee = 0
        isOver.pointee = false
        startThread()
        awaitPause()
        made = before - roomForTypes
    }

    private static func startThread() {
        var started = pthread_t()
        pthread_create(
            &started, nil,
            { _ in
                TypesDuringForkProbe.runBody()
                return nil
            }, nil)
        thread = started
    }

    private static func runBody() {
        file.pointee = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC)
        body()
        isOver.pointee = true
    }

    /// Returns when the thread has ended the body, or is found asleep three times in a row.
    private static func awaitPause() {
        var checks = 0
        while checks < 3 {
            usleep(1000)
            if isOver.pointee { return }
            checks = isAsleep ? checks + 1 : 0
        }
    }

    // Written by the thread, and read by the one that forks.
    /// Tells what the thread does.
    private nonisolated(unsafe) static let file = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private nonisolated(unsafe) static let isOver = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    private nonisolated(unsafe) static let text = UnsafeMutablePointer<CChar>.allocate(capacity: 256)

    /// Whether the thread waits for something. Finding out makes no type.
    private static var isAsleep: Bool {
        let count = file.pointee == 0 ? 0 : pread(file.pointee, text, 255, 0)
        guard count > 0 else { return false }
        text[count] = 0
        guard let end = strrchr(text, Int32(UInt8(ascii: ")"))) else { return false }
        return end[2] == CChar(UInt8(ascii: "S"))
    }

    /// The free bytes of the memory in which Swift places the types that it makes: the second word of what the runtime
    /// shows to debuggers.
    private static var roomForTypes: Int { pool.load(fromByteOffset: 8, as: Int.self) }
    private nonisolated(unsafe) static let pool = dlsym(nil, "_swift_debug_allocationPoolPointer")
        .load(as: UnsafeRawPointer.self)

    // Swift does not allow calling `fork` by its name.
    private static let forkProcess = unsafeBitCast(
        dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
}

/// A call whose arguments exist already.
struct ObjectUse {
    let name: String
    let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }
}
