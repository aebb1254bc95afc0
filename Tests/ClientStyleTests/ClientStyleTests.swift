import Foundation
import Testing

/// Clients written for Apple's platforms, built as programs of their own that import `Security` and Foundation only.
/// That they are here at all shows that they compile, in both language modes.
@Suite struct ClientStyleTests {
    @Test(arguments: ["ClientStyleSwift5", "ClientStyleSwift6", "ClientWithOwnNames"])
    func client_unchanged_works(_ name: String) throws {
        let process = Process()
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent(name)
        process.environment = ProcessInfo.processInfo.environment.merging(["SECITEM_STORE": "memory"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "all clients work\n", "\(name)")
        #expect(process.terminationStatus == 0, "\(name)")
    }
}
