// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A program that runs on its own terminal. A test reads what the terminal shows, and types.
package final class TerminalSession: Sendable {
    package let processIdentifier: pid_t
    /// The modes that the terminal had before the program started.
    package let modesAtStart: Modes
    private let master: Int32
    private let deadline: ContinuousClock.Instant
    private let seen = Mutex<[UInt8]>([])
    private let end = Mutex<Int32?>(nil)

    package init(_ program: Program) throws {
        let master = openTerminal(O_RDWR | O_NOCTTY | O_CLOEXEC)
        // This uses a buffer of this thread, because other tests overwrite the result of `ptsname`.
        var name = [CChar](repeating: 0, count: 128)
        guard master >= 0, grantTerminal(master) == 0, unlockTerminal(master) == 0,
            nameTerminal(master, &name, name.count) == 0
        else {
            throw ProgramFailure("no terminal: \(lastSystemError)")
        }
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        self.master = master
        deadline = .now + .seconds(min(program.timeLimit, 600))
        modesAtStart = Self.modes(of: master)
        processIdentifier = try Self.spawn(
            program, terminal: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    deinit {
        if !isOver { kill(processIdentifier, SIGKILL) }
        _ = isOver
        close(master)
    }

    /// Starts a session with this terminal.
    private static func spawn(_ program: Program, terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not import.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
        let strings = ([program.executable] + program.arguments).map { strdup($0) }
        let variables = program.environment.map { strdup("\($0)=\($1)") }
        defer { (strings + variables).forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawnp(
            &process, program.executable, &actions, &attributes, strings + [nil], variables + [nil])
        guard result == 0 else { throw ProgramFailure("\(program): \(String(cString: strerror(result)))") }
        return process
    }

    /// Types a text.
    package func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The text that the terminal has shown so far.
    package var screen: String {
        seen.withLock { seen in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(master, &buffer, buffer.count)
                if count <= 0 { break }
                seen += buffer.prefix(count)
            }
            return String(decoding: seen, as: UTF8.self)
        }
    }

    /// Whether the terminal shows typed text.
    package var echoes: Bool {
        var settings = termios()
        tcgetattr(master, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The modes of the terminal. Their bits have the names of `termios`.
    package struct Modes: Equatable, Sendable {
        package fileprivate(set) var input, output, control, local: tcflag_t
    }

    /// The modes that the terminal has. Setting them does what another program on the terminal might do.
    package var modes: Modes {
        get { Self.modes(of: master) }
        set {
            var settings = termios()
            tcgetattr(master, &settings)
            (settings.c_iflag, settings.c_oflag) = (newValue.input, newValue.output)
            (settings.c_cflag, settings.c_lflag) = (newValue.control, newValue.local)
            tcsetattr(master, TCSANOW, &settings)
        }
    }

    private static func modes(of terminal: Int32) -> Modes {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return Modes(
            input: settings.c_iflag, output: settings.c_oflag, control: settings.c_cflag, local: settings.c_lflag)
    }

    /// The group of processes that has the terminal.
    package var foregroundGroup: pid_t { tcgetpgrp(master) }

    /// Waits until another group of processes than this one has the terminal.
    ///
    /// - Returns: That group.
    package func waitForOtherGroup(than group: pid_t) throws -> pid_t {
        try wait("another program in the foreground") { foregroundGroup != group }
        return foregroundGroup
    }

    /// Waits until the terminal has shown this text so many times.
    package func waitFor(_ text: String, times: Int) throws {
        try wait("“\(text)”") { screen.components(separatedBy: text).count > times }
    }

    /// Waits until the terminal has shown this text.
    package func waitFor(_ text: String) throws {
        try wait("“\(text)”") { screen.contains(text) }
    }

    /// Waits until the terminal shows typed text, or until it hides it.
    package func waitFor(echo: Bool) throws {
        try wait("the echo to change") { echoes == echo }
    }

    /// Waits for the program's end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that ended it.
    package func waitUntilExit() throws -> Int32 {
        try wait("its end") { isOver }
        _ = screen
        let status = end.withLock { $0 } ?? 0
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }

    private var isOver: Bool {
        end.withLock { end in
            var status: Int32 = 0
            if end == nil && waitpid(processIdentifier, &status, WNOHANG) == processIdentifier { end = status }
            return end != nil
        }
    }

    private func wait(_ awaited: String, _ condition: () -> Bool) throws {
        while !condition() {
            guard ContinuousClock.now < deadline else { throw ProgramFailure("waiting for \(awaited): \(screen)") }
            usleep(2000)
        }
    }
}

// A function of <stdlib.h> that Glibc's module does not declare.

@_silgen_name("posix_openpt")
private func openTerminal(_ flags: Int32) -> Int32

@_silgen_name("grantpt")
private func grantTerminal(_ descriptor: Int32) -> Int32

@_silgen_name("unlockpt")
private func unlockTerminal(_ descriptor: Int32) -> Int32

@_silgen_name("ptsname_r")
private func nameTerminal(_ descriptor: Int32, _ name: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32
