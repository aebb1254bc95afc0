// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Has the terminal not show what is typed, for a moment: whatever ends or stops the program, the terminal is as before, and
/// when a stopped program goes on, what is typed is hidden again.
enum HiddenInput {
    // For the signal handlers, which may only use memory that is there.

    /// The terminal as it was, and as it is meanwhile.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private nonisolated(unsafe) static let hidden = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private nonisolated(unsafe) static let isHidden = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let stopping = [SIGTSTP, SIGTTIN, SIGTTOU]

    /// Runs `body` with the echo of the terminal at standard input switched off.
    static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        before.initialize(to: termios())
        hidden.initialize(to: termios())
        isHidden.initialize(to: false)
        guard tcgetattr(STDIN_FILENO, before) == 0 else { return try body() }
        let handlers = (ending + stopping).map { ($0, install($0)) }
        defer { for (signal, handler) in handlers { restore(handler, of: signal) } }
        hide()
        defer { show() }
        return try body()
    }

    // MARK: What the handlers do

    /// Hides what is typed. A program in the background is stopped by it, and goes on when it is in the foreground.
    private static func hide() {
        let mask = holdBack()
        defer { letThrough(mask) }
        while !isHidden.pointee {
            // While it was stopped, another program may have changed the terminal.
            guard tcgetattr(STDIN_FILENO, before) == 0 else { return }
            hidden.pointee = before.pointee
            hidden.pointee.c_lflag &= ~tcflag_t(ECHO | ECHONL)
            if tcsetattr(STDIN_FILENO, TCSAFLUSH, hidden) == 0 {
                isHidden.pointee = true
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Puts the terminal back, unless another program has it.
    private static func show() {
        let mask = holdBack()
        defer { letThrough(mask) }
        guard isHidden.pointee else { return }
        isHidden.pointee = false
        if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSAFLUSH, before) }
    }

    /// Keeps signals away from the moment in which the terminal is changed and that is not noted yet.
    private static func holdBack() -> sigset_t {
        var signals = sigset_t(), before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        sigaddset(&signals, SIGQUIT)
        sigaddset(&signals, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        return before
    }

    private static func letThrough(_ mask: sigset_t) {
        var mask = mask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Puts the terminal back, and dies of the signal, so that the shell knows.
    private static func end(_ number: Int32) {
        show()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Puts the terminal back and stops, so that the shell knows; hides again what is typed when the program goes on.
    private static func stop(_ number: Int32) {
        let error = errno
        show()
        signal(number, SIG_DFL)
        raise(number)
        install(number)
        hide()
        errno = error
    }

    // MARK: Handlers

    @discardableResult
    private static func install(_ number: Int32) -> sigaction {
        var action = sigaction(), old = sigaction()
        if stopping.contains(number) {
            action.__sigaction_handler.sa_handler = { HiddenInput.stop($0) }
            // Of <signal.h>, SA_NODEFER: the signal that the handler raises stops the program then and there.
            action.sa_flags = 0x4000_0000
        } else {
            action.__sigaction_handler.sa_handler = { HiddenInput.end($0) }
        }
        sigaction(number, &action, &old)
        // Whoever started it does not want it stopped.
        if stopping.contains(number) && unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 {
            restore(old, of: number)
        }
        return old
    }

    private static func restore(_ action: sigaction, of number: Int32) {
        var action = action
        sigaction(number, &action, nil)
    }
}
