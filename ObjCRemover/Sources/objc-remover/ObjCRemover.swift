// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjCRemoval

/// `objc-remover FROM TO`: writes a source, or a folder of sources, without Objective-C attributes.
@main
struct ObjCRemover {
    static let usage = """
        Usage: objc-remover FROM TO

        Writes the Swift source FROM to TO without @objc, @objcMembers and @nonobjc. If FROM is a folder, TO becomes a
        copy of it with all Swift sources changed in this way. Hidden files are left out, and Package*.swift stay
        unchanged. If something cannot be copied, TO stays as it was.

        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if ["--help", "-h"].contains(arguments.first) { return print(usage, terminator: "") }
        guard let from = arguments.first, let to = arguments.dropFirst().first, arguments.count == 2 else {
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        let sources = URL(fileURLWithPath: from)
        let destination = URL(fileURLWithPath: to)
        do {
            let isComplete =
                sources.isFolder
                ? try SourceTree(root: sources).copy(to: destination)
                : try SourceTree.copySource(sources, to: destination)
            if !isComplete { exit(1) }
        } catch {
            FileHandle.standardError.write(Data("objc-remover: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }
}
