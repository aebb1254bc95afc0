// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization

/// Restores the terminal if a signal ends the process during a question.
///
/// Handlers of the application stay, and so do signals that it ignores. One thread at a time has the terminal. A forked
/// child has the handlers, too, but they leave the terminal alone, and its own questions wait for no thread of its parent.
enum TerminalRestoration {
    private struct Setting {
        var descriptor: CInt
        var before: termios
    }

    /// The process whose thread has the terminal; 0 for none.
    private static let owner = ForkableState<pid_t>(0)

    // For the handler, which must not allocate memory.

    /// Written only while no handler may read it.
    private nonisolated(unsafe) static let setting = UnsafeMutablePointer<Setting>.allocate(capacity: 1)
    /// The process whose terminal the handler restores; 0 for none.
    private static let armedProcess = Atomic<pid_t>(0)
    /// How many handlers are reading the setting.
    private static let readers = Atomic<Int>(0)

    private static let handler: @convention(c) (CInt) -> Void = { TerminalRestoration.end($0) }
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Runs `body`, which changes the mode of the terminal and changes it back. Waits while another thread does.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - isCancelled: Whether to stop waiting.
    ///   - body: Gets the mode that the terminal has, and that a signal restores.
    /// - Throws: The errors of `body`; ``Terminal/End/takenBack`` if the wait was cancelled, ``Terminal/End/lost`` if the
    ///   terminal is gone.
    static func during<Value>(
        _ descriptor: CInt, isCancelled: () -> Bool, _ body: (termios) throws(Terminal.End) -> Value
    ) throws(Terminal.End) -> Value {
        while !take() {
            if isCancelled() { throw .takenBack }
            usleep(20_000)
        }
        defer { owner.withLock { $0 = 0 } }
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { throw .lost }
        while readers.load(ordering: .acquiring) > 0 { sched_yield() }
        setting.initialize(to: Setting(descriptor: descriptor, before: before))
        armedProcess.store(getpid(), ordering: .releasing)
        defer { armedProcess.store(0, ordering: .releasing) }
        let installed = signals.filter(install)
        defer { installed.forEach(remove) }
        return try body(before)
    }

    /// Whether this thread has the terminal now.
    private static func take() -> Bool {
        owner.withLock { owner in
            let process = getpid()
            if owner == process { return false }
            // The threads of the parent, and what they were about to do, are not in a forked child.
            if owner != 0 { readers.store(0, ordering: .relaxed) }
            owner = process
            return true
        }
    }

    /// Restores the terminal, and ends the process by the signal after the handler has returned, so that the shell knows.
    private static func end(_ number: CInt) {
        readers.add(1, ordering: .acquiringAndReleasing)
        if armedProcess.load(ordering: .acquiring) == getpid() {
            let descriptor = setting.pointee.descriptor
            if tcgetpgrp(descriptor) == getpgrp() { tcsetattr(descriptor, TCSANOW, &setting.pointee.before) }
        }
        readers.subtract(1, ordering: .acquiringAndReleasing)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// - Returns: Whether the signal would have ended the process, and has the handler now.
    private static func install(_ number: CInt) -> Bool {
        // A forked child may have its parent's.
        guard [address(SIG_DFL), address(handler)].contains(address(of: number)) else { return false }
        var action = sigaction()
        sigfillset(&action.sa_mask)
        action.__sigaction_handler.sa_handler = handler
        return sigaction(number, &action, nil) == 0
    }

    /// Removes the handler, unless the application has installed its own meanwhile.
    private static func remove(_ number: CInt) {
        if address(of: number) == address(handler) { signal(number, SIG_DFL) }
    }

    private static func address(of number: CInt) -> Int {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return -1 }
        return address(action.__sigaction_handler.sa_handler)
    }

    private static func address(_ handler: (@convention(c) (CInt) -> Void)?) -> Int {
        unsafeBitCast(handler, to: Int.self)
    }
}
