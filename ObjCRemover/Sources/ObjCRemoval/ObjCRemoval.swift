// SPDX-License-Identifier: Apache-2.0

import SwiftParser
import SwiftSyntax

/// A Swift source without attributes that need an Objective-C runtime.
public struct ObjCRemoval {
    /// The changed source. Every line keeps its number, and nearly everything keeps its column.
    public let source: String

    /// Errors for syntax that has no counterpart without Objective-C, each a line in the compiler's format.
    public let failures: [String]

    /// Removes `@objc`, `@objc(…)`, `@objcMembers`, `@nonobjc` and similar attributes from a source.
    ///
    /// A protocol that loses `@objc` still accepts classes only. Optional requirements have no counterpart and are
    /// failures. The compiler rejects expressions that need the runtime, such as `#selector`.
    ///
    /// - Parameters:
    ///   - original: The source.
    ///   - file: Its path, which the failures name.
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

    /// The source, with a line that makes the compiler's messages and `#filePath` name another file.
    ///
    /// Write the result to a file with another name than that file, or the compiler warns.
    ///
    /// - Parameter file: The path to name.
    /// - Returns: The source, which is one line longer.
    public func source(namedAfter file: String) -> String {
        "#sourceLocation(file: \(file.quoted), line: 1)\n" + source
    }
}

extension String {
    fileprivate var quoted: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
