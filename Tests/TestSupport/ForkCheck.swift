// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What docs/operations.md promises to programs that start others or fork, checked on one store.
package struct ForkCheck: Sendable {
    private let environment: [String: String]
    private let folder: String
    private let worksInChild: Bool

    /// - Parameters:
    ///   - environment: The whole environment of the programs, which names the store.
    ///   - folder: Where the store has its files.
    ///   - worksInChild: Whether the store can be used in a child without `exec`.
    package init(_ environment: [String: String], folder: String, worksInChild: Bool = true) {
        self.environment = environment
        self.folder = folder
        self.worksInChild = worksInChild
    }

    private func run(_ arguments: String...) throws -> FinishedProgram {
        var program = try Program.built("KeychainProbe", arguments)
        program.environment = environment
        return try program.run()
    }

    /// Programs can be started at any moment, while eight threads use the store.
    package func programs_whileThreadsUseTheStore() throws {
        let end = try run("programs", "500", folder)
        #expect(end.lines == ["failed 0 inherited [] failures 0 wrong 0"], "\(end)")
    }

    /// A child of a quiet process finds, adds and ends, and a daemon works.
    package func children_ofAQuietProcess() throws {
        let quiet = try run("child-of-quiet")
        let child = worksInChild ? "child 0 0 0" : "child -25291 -25291 -25291"
        let parent = worksInChild ? "parent 0 0 0" : "parent 0 -25300 0"
        #expect(quiet.lines == ["before 0"] + Array(repeating: [child, parent], count: 3).flatMap(\.self), "\(quiet)")
        let daemon = try run("daemon")
        // It adds the same item again.
        #expect(
            daemon.lines == ["before -25299", "failures \(worksInChild ? 0 : 80)", "parent 0"], "\(daemon)")
    }

    /// Whatever a thread of the parent was doing at the fork of a child that ends at once, its items are whole.
    package func children_amidCalls() throws {
        let end = try run("children-amid", "40")
        #expect(end.lines == ["ended 40 failures 0 wrong 0"], "\(end)")
    }

    /// All of it.
    package func all() throws {
        try children_ofAQuietProcess()
        try children_amidCalls()
        try programs_whileThreadsUseTheStore()
    }
}
