// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Has the terminal at standard input not show what is typed, for a moment. It is restored as for the questions of the
/// library: whatever ends or stops the program, the terminal is as before, and when a stopped program goes on, what is typed is
/// hidden again.
enum HiddenInput {
    /// Runs `body` with the echo of the terminal at standard input switched off, when no other process of the job asks there.
    ///
    /// - Parameter body: Asks. It gets a function that says how often the program has gone on after a stop: each time, the
    ///   question has to be shown again.
    /// - Throws: ``CommandFailure`` if the terminal cannot hide what is typed; the errors of `body`.
    static func during<Value>(_ body: (_ timesContinued: () -> Int) throws -> Value) throws -> Value {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return try body { 0 } }
        // A program in the background is stopped here, like any other that reads, and goes on in the foreground.
        if !TerminalRestoration.isInForeground(STDIN_FILENO) { kill(0, SIGTTIN) }
        let result: Result<Value, any Error>
        do throws(Terminal.End) {
            guard TerminalRestoration.isInForeground(STDIN_FILENO) else { throw .lost }
            let turn = try TerminalTurn(on: STDIN_FILENO) { false }
            defer { turn.end() }
            let hide = { (mode: inout termios) in mode.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
            result = try TerminalRestoration.during(
                STDIN_FILENO, isCancelled: { false }, replacesHandlers: true, hiding: hide
            ) {
                Result { try body { TerminalRestoration.timesContinued } }
            }
        } catch {
            throw CommandFailure("the terminal cannot hide a password: give it on standard input")
        }
        return try result.get()
    }
}
