// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A program that was started in a process group of its own. When the value is released, the whole group is killed.
///
/// Its output goes to files and not to pipes, because background processes that it starts would hold a pipe open.
/// Unlike a child of Foundation's `Process`, it has no blocked signals, and no open files except the three standard
/// ones.
package final class RunningProgram: Sendable {
    package let processIdentifier: pid_t
    private let program: Program
    private let output: CapturedOutput
    private let errors: CapturedOutput
    private let deadline: ContinuousClock.Instant
    /// The descriptor from which the program reads, until it is closed.
    private let input: Mutex<Int32?>
    /// The result of `waitpid`. Once it is known, another process may get the process id.
    private let end = Mutex<Int32?>(nil)

    init(_ program: Program) throws {
        self.program = program
        output = try CapturedOutput()
        errors = try CapturedOutput()
        deadline = .now + .seconds(program.timeLimit)
        let others = [output.descriptor, errors.descriptor]
        let (process, descriptor) = try Self.oneAtATime.withLock { _ in
            var pipe: [Int32] = [-1, -1]
            guard Glibc.pipe(&pipe) == 0 else { throw ProgramFailure("no pipe: \(lastSystemError)") }
            defer { close(pipe[0]) }
            do {
                return (try Self.spawn(program, descriptors: [pipe[0]] + others), pipe[1])
            } catch {
                close(pipe[1])
                throw error
            }
        }
        processIdentifier = process
        input = Mutex(descriptor)
    }

    /// Held while a pipe is made, so that no other program starts in between and holds the pipe open.
    private static let oneAtATime = Mutex(())

    deinit {
        kill()
        closeInput()
    }

    /// Starts a process with these descriptors as its standard ones.
    private static func spawn(_ program: Program, descriptors: [Int32]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let number = Int32(name), number >= descriptors.count {
                posix_spawn_file_actions_addclose(&actions, number)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let environment = program.environment.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let result = withCStrings([program.executable] + program.arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawnp(&process, program.executable, &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else { throw ProgramFailure("\(program): \(String(cString: strerror(result)))") }
        return process
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }

    // MARK: Input

    /// Writes to the program's standard input. If the program no longer reads, nothing happens.
    package func write(_ text: String) {
        input.withLock { descriptor in
            guard let descriptor else { return }
            Self.withoutBrokenPipeSignal {
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                    if count <= 0 { return }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }

    /// Runs the body without the signal SIGPIPE, which would end the tests if nobody reads.
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        body()
        var atOnce = timespec()
        sigtimedwait(&signals, nil, &atOnce)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// Closes its standard input, so that a program that waits for the end continues.
    package func closeInput() {
        input.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    // MARK: Output

    /// Waits until the program has written this line.
    package func waitFor(line: String) throws {
        while !output.text.components(separatedBy: "\n").dropLast().contains(line) {
            guard isRunning else { throw ProgramFailure("\(program) ended without “\(line)”: \(output.text)") }
            try pause("“\(line)”")
        }
    }

    /// Its standard output so far.
    package var outputSoFar: String { output.text }

    // MARK: End

    package var isRunning: Bool { end.withLock { Self.collect(processIdentifier, &$0) == nil } }

    /// Closes its standard input and waits for its end.
    @discardableResult
    package func waitUntilExit() throws -> FinishedProgram {
        closeInput()
        while isRunning { try pause("its end") }
        let status = end.withLock { $0 } ?? 0
        let signal = status & 0x7F
        return FinishedProgram(
            status: signal == 0 ? status >> 8 & 0xFF : -signal, output: output.text, errors: errors.text)
    }

    /// Sends the program a signal, if it still runs.
    package func send(_ signal: Int32) {
        end.withLock { end in
            if Self.collect(processIdentifier, &end) == nil { Glibc.kill(processIdentifier, signal) }
        }
    }

    /// Kills the program and its whole group, and waits for its end.
    package func kill() {
        end.withLock { end in
            guard Self.collect(processIdentifier, &end) == nil else { return }
            Glibc.kill(-processIdentifier, SIGKILL)
            _ = Self.collect(processIdentifier, &end, options: 0)
        }
    }

    private static func collect(_ process: pid_t, _ end: inout Int32?, options: Int32 = WNOHANG) -> Int32? {
        var status: Int32 = 0
        while end == nil {
            let result = waitpid(process, &status, options)
            if result == process { end = status }
            if result < 0 && errno == EINTR { continue }
            break
        }
        return end
    }

    private func pause(_ awaited: String) throws {
        if ContinuousClock.now > deadline {
            kill()
            let limit = "\(program) took more than \(program.timeLimit) s"
            throw ProgramFailure("\(limit), waiting for \(awaited): \(output.text)\(errors.text)")
        }
        usleep(2000)
    }
}

/// A file without a name, to which a program writes.
private final class CapturedOutput: Sendable {
    let descriptor: Int32

    init() throws {
        let path = FileManager.default.temporaryDirectory.path + "/secitem-output-" + UUID().uuidString
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw ProgramFailure("no file for output: \(lastSystemError)") }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    var text: String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
