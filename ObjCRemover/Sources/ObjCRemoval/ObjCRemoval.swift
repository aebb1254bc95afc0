// SPDX-License-Identifier: Apache-2.0

import SwiftParser
import SwiftSyntax

/// A Swift source without the attributes that need an Objective-C runtime.
public struct ObjCRemoval {
    /// The source without them, every line and nearly every column where it was.
    public let source: String

    /// What cannot be had without Objective-C, one line each in the form of the compiler's errors.
    public let failures: [String]

    /// Takes `@objc`, `@objc(…)`, `@objcMembers` and `@nonobjc` out of a source.
    ///
    /// A protocol that loses `@objc` is bound to classes instead, as it was. Optional requirements have no counterpart
    /// and are failures. What refers to the runtime in expressions, as `#selector` does, is left to the compiler.
    ///
    /// - Parameters:
    ///   - original: The source.
    ///   - file: Its path, for the failures.
    public init(of original: String, file: String = "") {
        let bytes = Array(original.utf8)
        let tree = Parser.parse(source: original)
        let collector = AttributeCollector(source: bytes)
        collector.walk(tree)
        source = String(decoding: collector.edits.applied(to: bytes), as: UTF8.self)
        let lines = SourceLocationConverter(fileName: file, tree: tree)
        failures = collector.optionalRequirements.map {
            let place = $0.startLocation(converter: lines)
            return "\(place.file):\(place.line):\(place.column): error: an optional requirement needs Objective-C"
        }
    }

    /// Gives the source so that the compiler, and `#filePath` in it, name another file.
    ///
    /// The file with the result needs another name than that file's, lest the compiler warn.
    ///
    /// - Parameter file: The path to name.
    /// - Returns: The source, one line longer.
    public func source(namedAfter file: String) -> String {
        "#sourceLocation(file: \(file.quoted), line: 1)\n" + source
    }
}

extension String {
    fileprivate var quoted: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
