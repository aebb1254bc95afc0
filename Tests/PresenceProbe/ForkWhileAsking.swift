// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Foundation
import LocalAuthentication
import SecItemShim

/// Forks while another thread asks on the terminal. The children end by signals, which are not the parent's.
enum ForkWhileAsking {
    // Swift does not allow calling `fork` by its name.
    static let forkProcess = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

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

    /// Evaluates what nobody need be asked for, in a child of a process that has used Dispatch. A child without an answer ends
    /// by SIGALRM.
    static func evaluateInChild() {
        let isUsed = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isUsed.signal() }
        isUsed.wait()
        let flags = SecAccessControlCreateFlags(rawValue: 1 << 40)
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil) else {
            return print("no access control")
        }
        let child = forkProcess()
        if child == 0 {
            alarm(60)
            for isEnded in [false, true] {
                let context = LAContext()
                if isEnded { context.invalidate() }
                let isAnswered = DispatchSemaphore(value: 0)
                context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test") { _, error in
                    print("answered: \((error as NSError?)?.code ?? 0)")
                    isAnswered.signal()
                }
                isAnswered.wait()
            }
            fflush(nil)
            _exit(0)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print("child: \(status)")
    }

    static var echoes: Bool {
        var mode = termios()
        tcgetattr(STDIN_FILENO, &mode)
        return mode.c_lflag & tcflag_t(ECHO) != 0
    }
}
