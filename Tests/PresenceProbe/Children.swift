// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Children of the probe.
enum Children {
    // Swift does not allow calling `fork` by its name.
    static let start = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

    /// Leaves a child that does nothing for longer than the test waits, once somebody is asked.
    static func leaveOne() {
        while echoes { usleep(2_000) }
        if start() == 0 {
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
