// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Compiles, in a target, copies of sources from elsewhere, without their Objective-C attributes.
///
/// The target's folder contains a file `ObjCSources`. Each of its lines names a source, or a folder of sources,
/// relative to the target's folder.
@main
struct ObjCRemover: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "objc-remover").url
        return try sources(of: target).map { source in
            let name = source.deletingPathExtension().lastPathComponent + ".without-objc.swift"
            let copy = context.pluginWorkDirectoryURL.appendingPathComponent(name)
            return .buildCommand(
                displayName: "Removing Objective-C attributes from \(source.lastPathComponent)",
                executable: tool,
                arguments: [source.path, copy.path],
                inputFiles: [source],
                outputFiles: [copy]
            )
        }
    }

    private func sources(of target: any SourceModuleTarget) throws -> [URL] {
        let list = target.directoryURL.appendingPathComponent("ObjCSources")
        guard let lines = try? String(contentsOf: list, encoding: .utf8) else {
            throw Failure(description: "\(list.path) has to say, line by line, where the sources of the target are")
        }
        return try lines.split(whereSeparator: \.isNewline).flatMap { line in
            try swiftFiles(at: URL(fileURLWithPath: String(line), relativeTo: target.directoryURL).standardizedFileURL)
        }
    }

    private func swiftFiles(at place: URL) throws -> [URL] {
        if place.pathExtension == "swift" { return [place] }
        let files = FileManager.default.enumerator(
            at: place, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let found = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        if found.isEmpty { throw Failure(description: "there is no Swift source at \(place.path)") }
        return found.sorted { $0.path < $1.path }
    }
}

private struct Failure: Error, CustomStringConvertible {
    let description: String
}
