// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test starts: its command line, its environment and its time limit.
package struct Program: Sendable {
    /// The environment of the tests, which a program gets by default. Passphrases that it sets cost next to nothing.
    package static var inheritedEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["DEBUG_SCRYPT_COST": "lowest"]) { own, _ in own }
    }

    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    /// The time limit in seconds. After it, the program is killed, and waiting for it fails.
    package var timeLimit: Double

    /// - Parameter executable: A path, or a name that is searched for in `PATH`.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = inheritedEnvironment,
        timeLimit: Double = 300
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.timeLimit = timeLimit
    }

    /// A program of this package, which is built with the tests.
    ///
    /// - Parameter variables: Additional variables in its environment.
    package static func built(
        _ name: String, _ arguments: [String] = [], adding variables: [String: String] = [:]
    ) throws -> Program {
        let tests = URL(fileURLWithPath: try testsExecutable)
        let path = tests.deletingLastPathComponent().appendingPathComponent(name).path
        return Program(path, arguments, environment: inheritedEnvironment.merging(variables) { $1 })
    }

    /// Copies a program, in another process. If this process copied it, a child that another thread starts at that
    /// moment would hold the copy open for writing, and then it could not be run.
    package static func copy(_ path: String, to copy: String) throws {
        try Program("cp", ["--", path, copy]).output()
    }

    /// One test as a separate process.
    package static func test(_ name: String, environment: [String: String]) throws -> Program {
        let arguments = ["--testing-library", "swift-testing", "--filter", name]
        return Program(try testsExecutable, arguments, environment: environment)
    }

    private static var testsExecutable: String {
        get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
    }

    /// Starts the program.
    package func start() throws -> RunningProgram { try RunningProgram(self) }

    /// Runs the program to its end, with this text on its standard input.
    @discardableResult
    package func run(input: String = "") throws -> FinishedProgram {
        let running = try start()
        running.write(input)
        return try running.waitUntilExit()
    }

    /// Runs the program to its end and returns its standard output. Throws an error if the program fails.
    @discardableResult
    package func output(input: String = "") throws -> String {
        let finished = try run(input: input)
        guard finished.status == 0 else {
            throw ProgramFailure("\(self): \(finished)")
        }
        return finished.output
    }
}

extension Program: CustomStringConvertible {
    package var description: String { ([executable] + arguments).joined(separator: " ") }
}

/// The results of a program that has ended.
package struct FinishedProgram: Sendable {
    /// The exit status, or the negative number of the signal that ended it.
    package let status: Int32
    /// The text on its standard output.
    package let output: String
    /// The text on its standard error.
    package let errors: String

    /// The complete lines of its output. A line that was incomplete when the program was killed is left out.
    package var lines: [String] { Array(output.components(separatedBy: "\n").dropLast()) }
}

extension FinishedProgram: CustomStringConvertible {
    package var description: String { "status \(status): \(output)\(errors)" }
}

/// The reason why a program, or something that it needs, does not meet a test's requirements.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
