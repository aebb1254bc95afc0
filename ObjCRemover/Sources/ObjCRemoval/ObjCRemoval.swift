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
    ///   - file: Its path, for the failures; the compiler names it too when it speaks of the result. Left out, the
    ///     result does not say where it comes from.
    public init(of original: String, file: String? = nil) {
        let bytes = Array(original.utf8)
        let tree = Parser.parse(source: original)
        let collector = AttributeCollector(source: bytes)
        collector.walk(tree)
        let rest = String(decoding: collector.edits.applied(to: bytes), as: UTF8.self)
        source = file.map { "#sourceLocation(file: \($0.quoted), line: 1)\n" + rest } ?? rest
        let lines = SourceLocationConverter(fileName: file ?? "", tree: tree)
        failures = collector.optionalRequirements.map {
            let place = $0.startLocation(converter: lines)
            return "\(place.file):\(place.line):\(place.column): error: an optional requirement needs Objective-C"
        }
    }
}

extension String {
    fileprivate var quoted: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
