import Foundation

/// The other process: `WrapperProbe`, which is built beside the tests.
enum Probe {
    static func start(_ arguments: [String], environment: [String: String]) throws -> Process {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("WrapperProbe")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        try process.run()
        return process
    }
}
