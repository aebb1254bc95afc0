// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import TestSupport
import Testing

@testable import SecItemSelection

/// The files in the state folder.
@Suite struct StateFileTests {
    private func name(_ identifier: String) -> String {
        StateFile(environment: [:], identifier: identifier, kind: .embedded).name
    }

    /// Each identifier has a separate file. Its name leads to no other folder, and is short enough for any file system.
    @Test func name_ofAnyIdentifier_isSafeAndItsOwn() {
        var random = SeededGenerator()
        let letters = Array("aZ9./%-_~ \0ä\u{301}🙂").map(String.init)
        var identifiers = ["", ".", "..", "/", "../a", "a/b", "a%2Fb", "A", "a", "ä", "a\u{308}", "\0"]
        identifiers += (0..<300).map { _ in
            (0..<Int.random(in: 1...300, using: &random)).map { _ in
                letters[Int.random(in: letters.indices, using: &random)]
            }.joined()
        }
        let allowed = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%-".utf8)
        var owners: [String: [UInt8]] = [:]
        for identifier in identifiers {
            let name = name(identifier)
            #expect(name.utf8.count <= 200 && name.hasSuffix(".embedded"))
            #expect(name.dropLast(".embedded".count).utf8.allSatisfy(allowed.contains), "\(name)")
            #expect(
                owners.updateValue(Array(identifier.utf8), forKey: name) ?? Array(identifier.utf8)
                    == Array(identifier.utf8))
        }
    }

    /// In a process of its own, because the umask is one of all its threads.
    @Test func files_areForTheirOwnerAlone_whateverTheUmask() throws {
        let home = try TemporaryFolder()
        let probe = try Probe(
            "add", "one", environment: ["HOME": home.path, "SECITEM_STORE": "embedded"],
            through: ["sh", "-c", "umask 0; exec \"$@\"", "sh"])
        #expect(probe.lines == ["0"], "\(probe.errors)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        #expect(paths.contains { $0.hasSuffix(".embedded") }, "\(paths)")
        for path in paths {
            var status = stat()
            #expect(lstat(home.path + "/" + path, &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
        }
    }

    /// Reading the folder leaves no descriptor open. 2,000 leaks would use up all descriptors of a process.
    @Test func existing_leavesNothingOpen() throws {
        let folder = try TemporaryFolder()
        let file = StateFile(environment: ["XDG_STATE_HOME": folder.path], identifier: "application", kind: .embedded)
        try FileManager.default.createDirectory(atPath: try file.folder, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: try file.path))
        let descriptors = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try descriptors()
        for _ in 0..<2_000 { #expect(try file.existing == [file.name]) }
        // Other tests open and close files at the same time.
        #expect(try descriptors() < before + 1_000)
    }

    /// Nor does a change: neither the file that is written stays open, nor a folder that is brought to disk.
    @Test func changes_leaveNothingOpen() throws {
        let folder = try TemporaryFolder()
        let file = StateFile(environment: ["XDG_STATE_HOME": folder.path], identifier: "application", kind: .embedded)
        let open: @Sendable () -> [String] = { [path = folder.path] in
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return numbers.filter { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target?.hasPrefix(path) == true
            }
        }
        let sync: @Sendable (Int32) -> Int32 = { _ in
            #expect(!open().isEmpty)
            return 0
        }
        let written = try StateFile.$sync.withValue(sync) { try file.writeBeside("content") }
        #expect(open() == [])
        #expect(try String(contentsOfFile: written, encoding: .utf8) == "content")
        try StateFile.$sync.withValue(sync) { try file.remove() }
        #expect(open() == [])
    }

    /// A folder that cannot be recorded, here because another one has the file's name, leaves nothing behind.
    @Test func placeThatCannotBeRecorded_leavesNoFile() throws {
        let folder = try TemporaryFolder()
        _ = try folder.make("secitem/application.embedded/other", mode: 0o700)
        let place = PlaceOfItems(environment: ["XDG_STATE_HOME": folder.path], identifier: "application")
        place.remember("/some/folder")
        #expect(place.folder == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/secitem")
        #expect(files == ["application.embedded"])
        let another = PlaceOfItems(environment: ["XDG_STATE_HOME": folder.path], identifier: "another")
        another.remember("/some/folder")
        #expect(another.folder == "/some/folder")
    }

    /// Older versions used the same names.
    @Test func name_isInPercentEncoding() {
        #expect(name("org.example.App1") == "org%2Eexample%2EApp1.embedded")
        #expect(name("ä/b") == "%C3%A4%2Fb.embedded")
    }

    /// Whoever looks through all files tells a person which applications they are of. A name of the file system may be any.
    @Test func name_saysWhichApplicationItIsOf() {
        for identifier in ["org.example.App1", "ä/b", "%2E", "a\0b", "-"] {
            #expect(StateFile.identifier(encodedAs: name(identifier).dropLast(".embedded".count)) == identifier)
        }
        let long = StateFile.identifier(
            encodedAs: name(String(repeating: "ab", count: 200)).dropLast(".embedded".count))
        #expect(long == String(repeating: "ab", count: 40) + "…")
        for junk in ["%", "%A", "%GG", "%é"] { _ = StateFile.identifier(encodedAs: junk) }
    }
}
