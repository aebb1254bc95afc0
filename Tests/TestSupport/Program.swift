// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test starts: its command line, its environment and how long it may take.
package struct Program: Sendable {
    /// The environment of the tests themselves, which a program has unless told otherwise.
    package static var inheritedEnvironment: [String: String] { ProcessInfo.processInfo.environment }

    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    /// Seconds from its start after which it is killed, and waiting for it fails.
    package var timeLimit: Double

    /// - Parameter executable: A path, or a name to look for in `PATH`.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = inheritedEnvironment,
        timeLimit: Double = 300
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.timeLimit = timeLimit
    }

    /// A program of this package, which is built beside the tests.
    ///
    /// - Parameter variables: What its environment has beside that of the tests.
    package static func built(
        _ name: String, _ arguments: [String] = [], adding variables: [String: String] = [:]
    ) throws -> Program {
        let tests = URL(fileURLWithPath: try testsExecutable)
        let path = tests.deletingLastPathComponent().appendingPathComponent(name).path
        return Program(path, arguments, environment: inheritedEnvironment.merging(variables) { $1 })
    }

    /// Copies a program, by another process: a child that some thread starts meanwhile would hold a file of ours open
    /// for writing, and a program that somebody has open for writing cannot be run.
    package static func copy(_ path: String, to copy: String) throws {
        try Program("cp", ["--", path, copy]).output()
    }

    /// One test, run in a process of its own.
    package static func test(_ name: String, environment: [String: String]) throws -> Program {
        let arguments = ["--testing-library", "swift-testing", "--filter", name]
        return Program(try testsExecutable, arguments, environment: environment)
    }

    private static var testsExecutable: String {
        get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
    }

    /// Starts it.
    package func start() throws -> RunningProgram { try RunningProgram(self) }

    /// Runs it to its end, with that on its standard input.
    @discardableResult
    package func run(input: String = "") throws -> FinishedProgram {
        let running = try start()
        running.write(input)
        return try running.waitUntilExit()
    }

    /// Runs it to its end and returns what it wrote on its standard output. That it fails is an error.
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

/// What is left of a program that has ended.
package struct FinishedProgram: Sendable {
    /// What it returned, or the number of the signal that ended it, negative.
    package let status: Int32
    /// What it wrote on its standard output.
    package let output: String
    /// What it wrote on its standard error.
    package let errors: String

    /// The whole lines of its output: one that it was writing when it was killed is not among them.
    package var lines: [String] { Array(output.components(separatedBy: "\n").dropLast()) }
}

extension FinishedProgram: CustomStringConvertible {
    package var description: String { "status \(status): \(output)\(errors)" }
}

/// Why a program, or what it needs, is not as a test wants it.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
