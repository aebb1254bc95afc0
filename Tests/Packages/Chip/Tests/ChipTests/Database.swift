// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A PostgreSQL server of a test's own (`Scripts/postgresql/with-postgresql`). It is gone with the value.
final class Database: @unchecked Sendable {
    /// What programs connect with.
    let connectionString: String
    private let admin: String
    private let script = Process()
    private let input = Pipe()

    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<6 { root.deleteLastPathComponent() }
        let output = Pipe()
        script.executableURL = root.appendingPathComponent("Scripts/postgresql/with-postgresql")
        // It ends with its standard input.
        script.arguments = ["bash", "-c", "env | grep ^SECITEM_TEST_POSTGRESQL; echo ready; cat"]
        script.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
        script.standardInput = input
        script.standardOutput = output
        try script.run()
        var text = ""
        while !text.hasSuffix("ready\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        func value(_ name: String) -> String {
            text.components(separatedBy: "\n").first { $0.hasPrefix(name + "=") }.map {
                String($0.dropFirst(name.count + 1))
            } ?? ""
        }
        connectionString = value("SECITEM_TEST_POSTGRESQL_OWNER")
        admin = value("SECITEM_TEST_POSTGRESQL_ADMIN")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        script.waitUntilExit()
    }

    /// What a statement of the superuser's gives.
    func ask(_ sql: String) throws -> String {
        let program = Process(), output = Pipe()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", admin, "-c", sql]
        program.standardInput = FileHandle.nullDevice
        program.standardOutput = output
        try program.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
