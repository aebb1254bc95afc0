// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjCRemoval

/// A folder of Swift sources and other files.
struct SourceTree {
    let root: URL

    /// Copies all files except hidden ones. Returns whether no source needs Objective-C.
    func copy(to destination: URL) throws -> Bool {
        guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        var isComplete = true
        let skipped = root.standardizedFileURL.path.count + 1
        for case let file as URL in files {
            if file.lastPathComponent.hasPrefix(".") {
                files.skipDescendants()
                continue
            }
            let target = destination.appendingPathComponent(String(file.standardizedFileURL.path.dropFirst(skipped)))
            if file.isFolder {
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            } else if file.pathExtension == "swift", !file.lastPathComponent.hasPrefix("Package") {
                isComplete = try Self.copySource(file, to: target) && isComplete
            } else {
                try Self.write(Data(contentsOf: file), to: target)
            }
        }
        return isComplete
    }

    /// Writes a source without Objective-C attributes. Returns whether it does not need Objective-C.
    ///
    /// If the target has another name, the copy is part of a build, and compiler messages must name the original.
    static func copySource(_ source: URL, to target: URL) throws -> Bool {
        let removal = ObjCRemoval(of: try String(contentsOf: source, encoding: .utf8), file: source.path)
        for failure in removal.failures { FileHandle.standardError.write(Data((failure + "\n").utf8)) }
        let isRenamed = source.lastPathComponent != target.lastPathComponent
        let content = isRenamed ? removal.source(namedAfter: source.path) : removal.source
        try write(Data(content.utf8), to: target)
        return removal.failures.isEmpty
    }

    /// An unchanged file keeps its date, so that it is not compiled again.
    private static func write(_ content: Data, to target: URL) throws {
        if (try? Data(contentsOf: target)) == content { return }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: target)
    }
}

extension URL {
    var isFolder: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
}
