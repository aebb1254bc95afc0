// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import TestSupport
import Testing

/// The default name under which items are stored.
@Suite struct IdentityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program with this file as its executable, as `/proc` shows it.
    private func program(_ target: String, confinedAs label: String? = nil) throws -> OwnProgram {
        let process = try folder.make("process \(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(atPath: process + "/exe", withDestinationPath: target)
        if let label {
            try FileManager.default.createDirectory(atPath: process + "/attr", withIntermediateDirectories: true)
            try Data(label.utf8).write(to: URL(fileURLWithPath: process + "/attr/current"))
        }
        return OwnProgram(process: process)
    }

    private func identity(_ environment: [String: String], _ program: OwnProgram, flatpak: String = "/none")
        -> ApplicationIdentity
    {
        ApplicationIdentity(
            environment: environment, program: program, bundleIdentifier: nil, flatpakInformation: flatpak)
    }

    @Test func deletedExecutable_keepsItsName() throws {
        #expect(try program("/bin/app (deleted)").name == "app")
        #expect(try program("/bin/app (deleted) (deleted)").name == "app (deleted)")
        let path = folder.path + "/app (deleted)"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try program(path).name == "app (deleted)")
        #expect(try program("/bin/app").name == "app")
    }

    /// Linux allows any bytes in a name. Names that are not UTF-8 must not all become the same one.
    @Test func executables_whoseNamesAreNotUTF8_haveDifferentNames() throws {
        let names: [[UInt8]] = [
            Array("lat".utf8) + [0xE8], Array("lat".utf8) + [0xE9], Array("lat%E9".utf8) + [0xE9],
            Array("lat\u{FFFD}".utf8), Array("50%".utf8), Array("lat".utf8) + [0xE9] + Array(" (deleted)".utf8),
        ]
        let found = try names.map { name in
            let process = try folder.make("process \(UUID().uuidString)")
            let target = (Array("/b\u{e9}/".utf8) + [0xFF] + Array("%/".utf8) + name + [0]).map(CChar.init(bitPattern:))
            try #require(symlink(target, process + "/exe") == 0)
            return try #require(OwnProgram(process: process).name)
        }
        #expect(found == ["lat%E8", "lat%E9", "lat%25E9%E9", "lat\u{FFFD}", "50%", "lat%E9"])
    }

    /// An upgrade replaces the file of a running program.
    @Test func replacedExecutable_keepsItsName() throws {
        for name in ["app", "app (deleted)"] {
            let path = folder.path + "/" + name
            try Program.copy(try Probe.path, to: path)
            let running = try Program(path, ["identity"], environment: ["HOME": folder.path]).start()
            try running.waitFor(line: "ready")
            try Program.copy(try Probe.path, to: path + ".new")
            try #require(rename(path + ".new", path) == 0)
            running.write("go\n")
            #expect(try running.waitUntilExit().lines.last == name)
        }
    }

    /// The identifier of a snap's program, and of other programs that are started in its terminal.
    @Test func snap_isBelieved_onlyOfItsOwnPrograms() throws {
        let environment = ["SNAP": "/snap/editor/12", "SNAP_NAME": "editor"]
        let cases: [(String, String?, String?)] = [
            ("/snap/editor/12/bin/code", nil, "editor"),
            ("/snap/editor/123/bin/code", nil, nil),
            ("/usr/bin/tool", nil, nil),
            ("/usr/bin/tool", "unconfined\n", nil),
            ("/usr/bin/tool", "snap.editors.code (enforce)\n", nil),
            ("/bin/dash", "snap.editor.code (enforce)\n", "editor"),
        ]
        for (path, label, expected) in cases {
            let program = try program(path, confinedAs: label)
            #expect(program.snapName(environment: environment) == expected, "\(path) \(label ?? "")")
            let found = identity(environment, program)
            #expect(found.identifier == expected ?? (path as NSString).lastPathComponent)
            #expect(found.origin == (expected == nil ? .executable : .snap))
        }
        #expect(try program("/x/y").snapName(environment: ["SNAP": "/", "SNAP_NAME": "x"]) == nil)
        #expect(try program("/snap/editor/12/a").snapName(environment: ["SNAP": "/snap/editor/12"]) == nil)
        #expect(
            try program("/snap/editor_a/12/a").snapName(
                environment: ["SNAP": "/snap/editor_a/12", "SNAP_NAME": "editor", "SNAP_INSTANCE_NAME": "editor_a"])
                == "editor_a")
    }

    @Test func order_isAsDocumented() throws {
        let flatpak = folder.path + "/flatpak-info"
        try Data("[Instance]\nname=wrong\n[Application]\nname=org.example.Flatpak\n".utf8)
            .write(to: URL(fileURLWithPath: flatpak))
        let snap = ["SNAP": "/snap/a/1", "SNAP_NAME": "a"]
        let program = try program("/snap/a/1/bin/tool")
        #expect(identity(snap, program, flatpak: flatpak).identifier == "org.example.Flatpak")
        #expect(identity(snap, program).identifier == "a")
        #expect(identity(["SECITEM_APPLICATION_IDENTIFIER": ""], program).identifier == "tool")
        let set = identity(
            snap.merging(["SECITEM_APPLICATION_IDENTIFIER": "mine", "SECITEM_ACCESS_GROUPS": "a, b"]) { $1 }, program,
            flatpak: flatpak)
        #expect(set.identifier == "mine" && set.origin == .environment && set.accessGroups == ["a", "b"])
        #expect(
            ApplicationIdentity(
                environment: snap, program: program, bundleIdentifier: "org.example.Bundle", flatpakInformation: flatpak
            ).origin == .bundle)
    }

    @Test func entitlements_areWhatTheApplicationOrTheEnvironmentSays() throws {
        let named = ["SECITEM_APPLICATION_IDENTIFIER": "mine"]
        let lines = ["application-identifier: [\"mine\"]", "com.apple.application-identifier: [\"mine\"]"]
        let none = #"x: ["none"]"#
        #expect(
            try Probe("entitlements", environment: named).lines == lines + [#"keychain-access-groups: ["none"]"#, none])
        let listed = named.merging(["SECITEM_ACCESS_GROUPS": "a, b"]) { $1 }
        #expect(
            try Probe("entitlements", environment: listed).lines
                == lines + [#"keychain-access-groups: ["a", "b"]"#, none])
        #expect(
            try Probe("entitlements", "c", environment: listed).lines
                == lines + [#"keychain-access-groups: ["c"]"#, none])
    }

    @Test func testRunners_areTold_byTheirName() throws {
        let runners = [
            "/b/appPackageTests.xctest", "/b/AppTests-test-runner", "/u/xctest", "/u/swiftpm-testing-helper",
        ]
        for path in runners + runners.map({ $0 + " (deleted)" }) { #expect(try program(path).isTestRunner, "\(path)") }
        for path in ["/b/app", "/b/xctest-report", "/b/app.xctest.old", "/b/x.xctest/app", "/usr/bin/swift-test"] {
            #expect(try !program(path).isTestRunner, "\(path)")
        }
        #expect(OwnProgram.current.isTestRunner)
    }
}
