// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Synchronization

/// Has the terminal hide what is typed during a question, and restores it.
///
/// If a signal or `exit` ends the process meanwhile, or a signal stops it, the terminal is as before. When a stopped process
/// goes on in the foreground, the terminal hides what is typed again.
///
/// Handlers of the application stay, and so do signals that it ignores. One thread at a time has the terminal. A child
/// process has the handlers, too, but they leave the terminal alone, and its own questions wait for no thread of its parent.
package enum TerminalRestoration {
    private struct Setting {
        var descriptor: CInt
        var before: termios
        var hidden: termios
    }

    private struct Owner {
        /// The process whose thread has the terminal; 0 for none.
        var process: pid_t = 0
        /// The process that had it last; 0 for none.
        var last: pid_t = 0
    }

    private static let owner = LockedValue(Owner())

    // For the handlers, which must not allocate memory.

    /// Written only while no handler may read it.
    private nonisolated(unsafe) static let setting = UnsafeMutablePointer<Setting>.allocate(capacity: 1)
    /// The process whose terminal the handlers change; 0 for none.
    private static let armedProcess = Atomic<pid_t>(0)
    /// Whether the terminal hides what is typed, or does so as soon as the process goes on.
    private static let hides = Atomic(false)
    /// How many handlers are reading the setting.
    private static let readers = Atomic<Int>(0)
    private static let continuations = Atomic<Int>(0)
    /// Whether the handler of SIGTSTP counts the next continuation, and not that of SIGCONT.
    private static let isCountedByStop = Atomic(false)

    /// How often the process has gone on after a stop, while a thread had the terminal.
    package static var timesContinued: Int { continuations.load(ordering: .sequentiallyConsistent) }

    private typealias Handler = (number: CInt, function: @convention(c) (CInt) -> Void)

    private static let ending: @convention(c) (CInt) -> Void = { TerminalRestoration.end($0) }
    private static let stopping: @convention(c) (CInt) -> Void = { TerminalRestoration.stop($0) }
    private static let goingOn: @convention(c) (CInt) -> Void = { _ in TerminalRestoration.goOn() }
    private static let handlers: [Handler] = [
        (SIGHUP, ending), (SIGINT, ending), (SIGQUIT, ending), (SIGTERM, ending), (SIGALRM, ending), (SIGUSR1, ending),
        (SIGUSR2, ending), (SIGPIPE, ending), (SIGXCPU, ending), (SIGTSTP, stopping), (SIGCONT, goingOn),
    ]

    /// Shows what is typed again if the program exits while a thread of it asks.
    private static let restoresAtExit = atexit { TerminalRestoration.show() } == 0

    /// Changes the mode of the terminal, runs `body`, and changes the mode back. Waits while another thread does.
    ///
    /// Both changes discard unread input. It may be part of a password, which the next program must not get.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - isCancelled: Whether to stop waiting.
    ///   - replacesHandlers: Whether other handlers give way meanwhile: in a program that has none itself, those of Swift's
    ///     runtime, which would leave the terminal as it is.
    ///   - hide: Changes the mode that the terminal has to the one that `body` needs.
    /// - Throws: The errors of `body`; ``Terminal/End/takenBack`` if the wait was cancelled, ``Terminal/End/lost`` if the
    ///   terminal is gone.
    package static func during<Value>(
        _ descriptor: CInt, isCancelled: () -> Bool, replacesHandlers: Bool = false,
        hiding hide: (inout termios) -> Void,
        _ body: () throws(Terminal.End) -> Value
    ) throws(Terminal.End) -> Value {
        while !take() {
            if isCancelled() { throw .takenBack }
            usleep(20_000)
        }
        defer { owner.withLock { $0.process = 0 } }
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { throw .lost }
        var hidden = before
        hide(&hidden)
        waitForHandlers()
        // Created before a handler may need it.
        hides.store(false, ordering: .sequentiallyConsistent)
        isCountedByStop.store(false, ordering: .sequentiallyConsistent)
        _ = timesContinued
        setting.initialize(to: Setting(descriptor: descriptor, before: before, hidden: hidden))
        armedProcess.store(getpid(), ordering: .releasing)
        _ = restoresAtExit
        defer { armedProcess.store(0, ordering: .releasing) }
        var installed: [(handler: Handler, before: sigaction)] = []
        for handler in handlers {
            if let before = install(handler, replaces: replacesHandlers) { installed.append((handler, before)) }
        }
        defer { for (handler, before) in installed { remove(handler, before) } }
        hides.store(true, ordering: .sequentiallyConsistent)
        defer {
            hides.store(false, ordering: .sequentiallyConsistent)
            // No handler hides from here on.
            waitForHandlers()
            if isInForeground(descriptor) { _ = set(before, descriptor) }
        }
        guard set(hidden, descriptor) else { throw .lost }
        return try body()
    }

    /// Whether this thread has the terminal now.
    private static func take() -> Bool {
        owner.withLock { owner in
            let process = getpid()
            if owner.process == process { return false }
            // The threads of the parent, and what they were about to do, are not in a child.
            if owner.last != process { readers.store(0, ordering: .relaxed) }
            (owner.process, owner.last) = (process, process)
            return true
        }
    }

    private static func waitForHandlers() {
        while readers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
    }

    /// Whether the process may use the terminal now. A terminal that is not its controlling one has no foreground.
    package static func isInForeground(_ descriptor: CInt) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group == getpgrp() || group < 0 && errno == ENOTTY
    }

    /// Sets the mode. Another program may come to the foreground at any moment. A signal would then stop this one, with all
    /// its threads, unless it is blocked.
    private static func set(_ mode: termios, _ descriptor: CInt) -> Bool {
        var mode = mode
        var stopping = sigset_t(), before = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &stopping, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        while tcsetattr(descriptor, TCSAFLUSH, &mode) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Hides what is typed, if another program has changed the mode while the process was stopped. Called by the thread that
    /// has the terminal.
    package static func hideOnceMore() {
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        hideAgain()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    // MARK: What the handlers do

    /// Calls `body` with the setting, if the terminal is this process's to change. All signals are blocked.
    private static func change(_ body: (UnsafeMutablePointer<Setting>) -> Void) {
        readers.add(1, ordering: .sequentiallyConsistent)
        if armedProcess.load(ordering: .acquiring) == getpid(), isInForeground(setting.pointee.descriptor) {
            body(setting)
        }
        readers.subtract(1, ordering: .sequentiallyConsistent)
    }

    private static func show() {
        change { tcsetattr($0.pointee.descriptor, TCSANOW, &$0.pointee.before) }
    }

    /// Hides again what is typed, after the process was stopped.
    private static func hideAgain() {
        let error = errno
        change { setting in
            guard hides.load(ordering: .sequentiallyConsistent) else { return }
            tcsetattr(setting.pointee.descriptor, TCSANOW, &setting.pointee.hidden)
        }
        errno = error
    }

    /// Runs when the process goes on after a stop.
    private static func goOn() {
        if !isCountedByStop.exchange(false, ordering: .sequentiallyConsistent) {
            continuations.add(1, ordering: .sequentiallyConsistent)
        }
        hideAgain()
    }

    /// Restores the terminal, and ends the process by the signal after the handler has returned, so that the shell knows.
    private static func end(_ number: CInt) {
        show()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Restores the terminal, stops the process, and hides again when it goes on. The system does not stop a process whose
    /// parent could not let it go on.
    private static func stop(_ number: CInt) {
        let error = errno
        isCountedByStop.store(true, ordering: .sequentiallyConsistent)
        show()
        signal(number, SIG_DFL)
        raise(number)
        var stopping = sigset_t(), before = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, number)
        // Here it stops.
        pthread_sigmask(SIG_UNBLOCK, &stopping, &before)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        if armedProcess.load(ordering: .acquiring) == getpid() { _ = install((number, Self.stopping), replaces: false) }
        // Before it hides, so that nothing is typed in vain that was typed hidden.
        continuations.add(1, ordering: .sequentiallyConsistent)
        hideAgain()
        errno = error
    }

    // MARK: Handlers

    /// - Parameter replaces: Whether another handler gives way.
    /// - Returns: What was done about the signal before; nil if the handler does not act on it, because the signal is ignored
    ///   or another handler stays.
    private static func install(
        _ handler: Handler, replaces: Bool
    ) -> sigaction? {
        var before = sigaction()
        guard sigaction(handler.number, nil, &before) == 0 else { return nil }
        let present = address(before.__sigaction_handler.sa_handler)
        // A child process may have its parent's.
        let isDefault = present == address(SIG_DFL) || present == address(handler.function)
        guard isDefault || replaces && present != address(SIG_IGN) else { return nil }
        if isDefault { before = sigaction() }
        var action = sigaction()
        sigfillset(&action.sa_mask)
        // SA_RESTART of <signal.h>, which Swift does not import: no call of the application fails for it.
        action.sa_flags = 0x1000_0000
        action.__sigaction_handler.sa_handler = handler.function
        return sigaction(handler.number, &action, nil) == 0 ? before : nil
    }

    /// Removes the handler, unless the application has installed its own meanwhile.
    private static func remove(
        _ handler: Handler, _ before: sigaction
    ) {
        var before = before
        if address(of: handler.number) == address(handler.function) { sigaction(handler.number, &before, nil) }
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
