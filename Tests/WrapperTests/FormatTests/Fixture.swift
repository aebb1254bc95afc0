import Foundation

/// Files in `Fixtures`, which `Fixtures/make-fixtures` makes.
enum Fixture {
    static func data(_ folder: String, _ name: String) throws -> Data {
        try Data(contentsOf: url(folder).appendingPathComponent(name))
    }

    static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted()
    }

    private static func url(_ folder: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures").appendingPathComponent(folder)
    }
}
