// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjCRemoval

/// A folder of Swift sources and other files, or a link to one.
struct SourceTree {
    let root: URL

    /// Copies all files except hidden ones, and what links lead to. Returns whether no source needs Objective-C.
    ///
    /// If something cannot be read or written, the destination stays as it was.
    func copy(to destination: URL) throws -> Bool {
        let root = root.resolved, destination = destination.resolved
        // Beside the destination, so that its files can be renamed to it.
        let staged = destination.deletingLastPathComponent()
            .appendingPathComponent(".\(destination.lastPathComponent).\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: staged) }
        let isComplete = try Self.copy(root, to: staged, except: destination, inside: [])
        try Self.checkKinds(staged, destination)
        try Self.move(staged, to: destination)
        return isComplete
    }

    /// - Parameters:
    ///   - folder: The folder, with all links resolved.
    ///   - destination: The folder that the whole copy becomes. It is left out if it lies in the sources.
    ///   - parents: The folders that are being copied.
    private static func copy(
        _ folder: URL, to target: URL, except destination: URL, inside parents: [String]
    ) throws -> Bool {
        guard !parents.contains(folder.path) else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "\(folder.path) contains itself."])
        }
        var isComplete = true
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let file = folder.appendingPathComponent(name), copy = target.appendingPathComponent(name)
            let resolved = file.resolved
            if name.hasPrefix(".") || resolved.path == destination.path { continue }
            if resolved.isFolder {
                isComplete =
                    try Self.copy(resolved, to: copy, except: destination, inside: parents + [folder.path])
                    && isComplete
            } else if file.pathExtension == "swift", !name.hasPrefix("Package") {
                isComplete = try copySource(file, to: copy) && isComplete
            } else {
                try Data(contentsOf: file).write(to: copy)
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
        let content = Data((isRenamed ? removal.source(namedAfter: source.path) : removal.source).utf8)
        // An unchanged file keeps its date, so that it is not compiled again.
        if (try? Data(contentsOf: target)) == content { return removal.failures.isEmpty }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: target, options: .atomic)
        return removal.failures.isEmpty
    }

    // MARK: Putting the copy in its place

    /// - Throws: An error if a file would replace a folder, or a folder a file.
    private static func checkKinds(_ staged: URL, _ destination: URL) throws {
        guard destination.isThere else { return }
        guard staged.isFolder == destination.isFolder else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
        }
        guard staged.isFolder else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: staged.path) {
            try checkKinds(staged.appendingPathComponent(name), destination.appendingPathComponent(name))
        }
    }

    /// Moves a folder, or its files one by one if the destination is there. An unchanged file stays, with its date.
    private static func move(_ staged: URL, to destination: URL) throws {
        guard destination.isThere else { return try FileManager.default.moveItem(at: staged, to: destination) }
        guard staged.isFolder else {
            if try Data(contentsOf: staged) == Data(contentsOf: destination) { return }
            // Replaces the file at once.
            guard rename(staged.path, destination.path) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: destination.path])
            }
            return
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: staged.path) {
            try move(staged.appendingPathComponent(name), to: destination.appendingPathComponent(name))
        }
    }
}

extension URL {
    var isFolder: Bool { (try? resolved.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }

    fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    /// The same place without links in its path.
    fileprivate var resolved: URL { URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL }
}
