// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Puts a terminal back when a signal ends the process while the terminal is set for a question.
///
/// Handlers of the application's own stay, and so do signals that it ignores.
enum TerminalRestoration {
    private struct Setting {
        var descriptor: CInt
        var before: termios
        /// A forked child has the handlers, too, and the terminal is not its to change.
        var process: pid_t
    }

    // For the handler, which may only use memory that is there. One question is asked at a time.
    private nonisolated(unsafe) static let setting = UnsafeMutablePointer<Setting>.allocate(capacity: 1)
    private static let handler: @convention(c) (CInt) -> Void = { TerminalRestoration.end($0) }
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Runs `body`, which sets the terminal and sets it back.
    ///
    /// - Parameter before: The mode that a signal sets it back to.
    static func during<Value, Failure: Error>(
        _ descriptor: CInt, _ before: termios, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        setting.initialize(to: Setting(descriptor: descriptor, before: before, process: getpid()))
        let installed = signals.filter(install)
        defer { installed.forEach(remove) }
        return try body()
    }

    /// Puts the terminal back, and dies of the signal once the handler has returned, so that the shell knows.
    private static func end(_ number: CInt) {
        let descriptor = setting.pointee.descriptor
        if setting.pointee.process == getpid(), tcgetpgrp(descriptor) == getpgrp() {
            tcsetattr(descriptor, TCSANOW, &setting.pointee.before)
        }
        signal(number, SIG_DFL)
        raise(number)
    }

    /// - Returns: Whether the signal would have ended the process, and has the handler now.
    private static func install(_ number: CInt) -> Bool {
        guard address(of: number) == address(SIG_DFL) else { return false }
        var action = sigaction()
        sigfillset(&action.sa_mask)
        action.__sigaction_handler.sa_handler = handler
        return sigaction(number, &action, nil) == 0
    }

    /// Takes the handler away, unless the application has put its own there meanwhile.
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
