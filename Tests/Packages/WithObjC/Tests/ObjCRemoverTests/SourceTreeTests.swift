// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite final class SourceTreeTests {
    private let folder: URL
    private var sources: URL { folder.appendingPathComponent("sources") }
    private var copy: URL { folder.appendingPathComponent("copy") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try write("@objc class A {}", "sources/A.swift")
        try write("text", "sources/Resources/text.txt")
        try write("hidden", "sources/.hidden")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(path).path, withDestinationPath: target)
    }

    private func files(in place: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
            let file = place.appendingPathComponent(name)
            if !file.isFolder { files[name] = try String(contentsOf: file, encoding: .utf8) }
        }
        return files
    }

    private let all = ["A.swift": "      class A {}", "Resources/text.txt": "text"]

    @Test func folder_isCopied() throws {
        #expect(try Remover.run(sources, copy).status == 0)
        #expect(try files(in: copy) == all)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["copy", "sources"])
    }

    @Test func linkToAFolder_isCopied_alsoOntoOne() throws {
        try link("link", to: "sources")
        try link("copy", to: "elsewhere")
        try write("own", "elsewhere/own.txt")
        #expect(folder.appendingPathComponent("link").isFolder)
        #expect(try Remover.run(folder.appendingPathComponent("link"), copy).status == 0)
        #expect(try files(in: folder.appendingPathComponent("elsewhere")) == all.merging(["own.txt": "own"]) { $1 })
    }

    @Test func linksInAFolder_areFollowed() throws {
        try write("@objc class B {}", "beside/B.swift")
        try link("sources/Beside", to: "../beside")
        try link("sources/C.swift", to: "A.swift")
        #expect(try Remover.run(sources, copy).status == 0)
        let more = ["Beside/B.swift": "      class B {}", "C.swift": "      class A {}"]
        #expect(try files(in: copy) == all.merging(more) { $1 })
    }

    /// What cannot be copied as a whole changes nothing.
    @Test(arguments: ["a link to itself", "a link to nothing", "a source that is no text", "a file for a folder"])
    func whatCannotBeCopied_leavesNothing(_ obstacle: String) throws {
        switch obstacle {
        case "a link to itself": try link("sources/Z", to: ".")
        case "a link to nothing": try link("sources/Z", to: "nothing")
        case "a source that is no text":
            try Data([0xff, 0xfe, 0xff]).write(to: sources.appendingPathComponent("Z.swift"))
        default: try write("a file", "copy/Resources/text.txt/file")
        }
        let before = copy.isFolder ? try files(in: copy) : nil
        #expect(try Remover.run(sources, copy).status == 1)
        #expect(copy.isFolder == (before != nil))
        if let before { #expect(try files(in: copy) == before) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(left).isSubset(of: ["copy", "sources"]))
    }

    @Test func unchangedFile_keepsItsDate() throws {
        _ = try Remover.run(sources, copy)
        let old = Date(timeIntervalSince1970: 1_000_000)
        for name in all.keys {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: copy.appendingPathComponent(name).path)
        }
        try write("other", "sources/Resources/text.txt")
        _ = try Remover.run(sources, copy)
        func date(_ name: String) throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: copy.appendingPathComponent(name).path)[.modificationDate]
                as? Date
        }
        #expect(try date("A.swift") == old)
        #expect(try date("Resources/text.txt") != old)
    }

    @Test func copyInsideTheSources_isNotCopiedAgain() throws {
        let inside = sources.appendingPathComponent("copy")
        for _ in 0..<2 { #expect(try Remover.run(sources, inside).status == 0) }
        #expect(try files(in: inside) == all)
    }
}

extension URL {
    /// Whether there is a folder, or a link to one.
    fileprivate var isFolder: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
