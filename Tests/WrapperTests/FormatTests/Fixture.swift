// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files in `Fixtures`, which `Fixtures/make-fixtures` makes.
enum Fixture {
    static func data(_ folder: String, _ name: String) throws -> Data {
        try Data(contentsOf: url(folder).appendingPathComponent(name))
    }

    static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted()
    }

    /// All of them.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    private static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
