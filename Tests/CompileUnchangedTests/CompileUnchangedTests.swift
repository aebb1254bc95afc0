// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Client code for Apple's platforms, with one file per shape, in `CompileUnchangedSwift6`. `CompileUnchangedSwift5`
/// has the same files in the other language mode. The build itself shows that they compile. Here, each shape runs in a
/// process of its own, on an embedded store of its own.
@Suite struct CompileUnchangedTests {
    static let programs = ["CompileUnchangedSwift5", "CompileUnchangedSwift6"]
    static let shapes = (try? Application(programs[0]).run([]).output)?.split(separator: "\n").map(String.init) ?? []

    @Test func everyFile_isAShape() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        for program in Self.programs {
            let folder = tests.appendingPathComponent(program).path
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                .map { $0.replacing(".swift", with: "") }
            #expect(Set(files).subtracting(["ClientChecks", "Shapes"]) == Set(Self.shapes), "\(program)")
        }
    }

    @Test(arguments: programs, shapes)
    func shape_onAnEmbeddedStore_works(_ name: String, _ shape: String) throws {
        let result = try Application(name).run([shape])
        #expect(result.output == "works\n", "\(name), \(shape): \(result)")
        #expect(result.status == 0, "\(name), \(shape)")
    }
}
