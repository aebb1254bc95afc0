import Foundation

/// A program that is built beside the tests, in a folder of its own with an Info.plist, as an application has one.
final class Program {
    static let bundleIdentifier = "org.example.compile-unchanged"

    private let folder: URL
    private let executable: URL

    init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("unchanged-\(UUID().uuidString)")
        executable = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let built = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name)
        // A symbolic link would lead back to where the tests are.
        do {
            try FileManager.default.linkItem(at: built, to: executable)
        } catch {
            try FileManager.default.copyItem(at: built, to: executable)
        }
        let information = ["CFBundleIdentifier": Self.bundleIdentifier]
        try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
            .write(to: folder.appendingPathComponent("Info.plist"))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let own = ["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.appendingPathComponent("store").path]
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SECITEM_") }
        process.environment = inherited.merging(own) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }
}
