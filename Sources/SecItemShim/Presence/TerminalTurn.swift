// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The turn to ask on a terminal, which one process of a job has at a time. Otherwise the first one to end would show what is
/// typed for the other one, and both would read parts of one answer.
///
/// It is a lock (`F_OFD_SETLK`) on one byte of the terminal's device: the byte whose number is that of the group of processes,
/// so that a stopped job holds up no other. Programs that do not use this library know nothing of it. The kernel releases the
/// lock when the process dies.
package struct TerminalTurn {
    /// The device, opened for the lock alone; negative if no lock can be had.
    private let descriptor: CInt

    /// Waits until no other process of the job has the turn. Where no lock can be had, for example after `su`, because the
    /// device belongs to another user, the process has the turn at once.
    ///
    /// - Parameters:
    ///   - terminal: A descriptor of the terminal.
    ///   - isCancelled: Whether to stop waiting. Called a few times a second.
    /// - Throws: ``Terminal/End/takenBack`` if the wait was cancelled.
    package init(on terminal: CInt, isCancelled: () -> Bool) throws(Terminal.End) {
        descriptor = Self.openDevice(of: terminal)
        guard descriptor >= 0 else { return }
        while !Self.lock(descriptor, F_WRLCK) {
            guard [EAGAIN, EACCES, EINTR].contains(errno) else { return }
            if isCancelled() {
                end()
                throw .takenBack
            }
            usleep(20_000)
        }
    }

    /// Gives the turn back, once. This is explicit because a child process may have a copy of the
    /// descriptor.
    package func end() {
        guard descriptor >= 0 else { return }
        _ = Self.lock(descriptor, F_UNLCK)
        close(descriptor)
    }

    private static func lock(_ descriptor: CInt, _ type: CInt) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(getpgrp())
        range.l_len = 1
        // F_OFD_SETLK of <fcntl.h>, which Foundation does not import everywhere.
        return fcntl(descriptor, 37, &range) == 0
    }

    /// Opens the terminal by a name of its own. `/dev/tty` is one file for all terminals.
    private static func openDevice(of terminal: CInt) -> CInt {
        var number: UInt32 = 0
        // TIOCGDEV of <asm/ioctls.h>: the number of the terminal that `/dev/tty` stands for.
        guard ioctl(terminal, 0x8004_5432, &number) == 0 else { return -1 }
        let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00)
        let path =
            switch (major, minor) {
            case (136...143, _): "/dev/pts/\(minor + (major - 136) << 8)"
            case (4, 0..<64): "/dev/tty\(minor)"
            case (4, _): "/dev/ttyS\(minor - 64)"
            default: ""
            }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return -1 }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_rdev == dev_t(number) else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
