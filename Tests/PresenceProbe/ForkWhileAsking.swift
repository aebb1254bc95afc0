// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Foundation

/// Forks while another thread asks on the terminal. The children end by signals, which are not the parent's.
enum ForkWhileAsking {
    // Swift does not allow calling `fork` by its name.
    private static let forkProcess = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

    static func run() {
        while echoes { usleep(2_000) }
        for number in [SIGTERM, SIGHUP, SIGINT] {
            let child = forkProcess()
            if child == 0 {
                raise(number)
                _exit(0)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            print("child \(status & 0x7f == number ? "ended by its signal" : "\(status)"), echo \(echoes)")
        }
        print("forked")
    }

    /// Leaves a child that does nothing for longer than the test waits.
    static func leaveChild() {
        while echoes { usleep(2_000) }
        if forkProcess() == 0 {
            sleep(90)
            _exit(0)
        }
        print("child is there")
    }

    static var echoes: Bool {
        var mode = termios()
        tcgetattr(STDIN_FILENO, &mode)
        return mode.c_lflag & tcflag_t(ECHO) != 0
    }
}
