import Foundation

/// Has the terminal not show what is typed, for a moment: whatever ends the program, the terminal is as before.
enum HiddenInput {
    /// The terminal as it was, for the signal handler, which may only read memory that is there.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Runs `body` with the echo of the terminal at standard input switched off.
    static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        before.initialize(to: termios())
        guard tcgetattr(STDIN_FILENO, before) == 0 else { return try body() }
        let handlers = signals.map { ($0, replaceHandler(of: $0)) }
        defer { for (signal, handler) in handlers { restore(handler, of: signal) } }
        var hidden = before.pointee
        hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, before) }
        return try body()
    }

    /// Puts the terminal back, and dies of the signal, so that the shell knows.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSAFLUSH, before)
        signal(number, SIG_DFL)
        raise(number)
    }

    private static func replaceHandler(of number: Int32) -> sigaction {
        var action = sigaction(), old = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, &old)
        return old
    }

    private static func restore(_ action: sigaction, of number: Int32) {
        var action = action
        sigaction(number, &action, nil)
    }
}
