// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of a class, as Swift's runtime and Apple's archives spell it.
///
/// In an archive, a class at the top level of a file is `Module.Class`. A nested class has the name that the first
/// versions of Swift gave it, such as `_TtCC6Module5Outer5Inner`. This type builds the names for the runtime from plain
/// identifiers, so the runtime never parses text from an item.
///
/// A private class has no name here, neither in writing nor in reading. Code outside its file is not meant to make its
/// objects, and its name contains a digest of the file's name.
struct ClassName {
    /// One type in the name. The outermost comes first.
    private struct Part: Equatable {
        let name: String
        /// `C` for a class, `V` for a structure, `O` for an enumeration.
        let kind: Character
    }

    private let module: String
    private let parts: [Part]

    /// The class, or nil if there is none with this name.
    var type: AnyClass? { _typeByName(mangled) as? AnyClass }

    var archived: String {
        if parts.count == 1 { return "\(module).\(parts[0].name)" }
        let kinds = String(parts.reversed().map(\.kind))
        let names = parts.map { Self.counted($0.name) }
        return "_Tt\(kinds)\(Self.counted(module))\(names.joined())"
    }

    /// The name by which the runtime finds a type.
    private var mangled: String {
        let names = parts.map { Self.counted($0.name) + String($0.kind) }
        return Self.counted(module) + names.joined()
    }

    private static func counted(_ identifier: String) -> String { "\(identifier.utf8.count)\(identifier)" }

    private static func isIdentifier(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), text.utf8.count <= 200 else { return false }
        return text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
    }
}

extension ClassName {
    /// The name of a class of this process. Nil if archives cannot hold it: for a private, generic or local class, and
    /// for a name with letters outside ASCII.
    init?(_ type: AnyClass) {
        // "Module.Outer.Inner". The name of a private class contains parentheses and spaces.
        let pieces = String(reflecting: type).components(separatedBy: ".")
        guard pieces.count >= 2, pieces.count <= 5, pieces.allSatisfy(Self.isIdentifier) else { return nil }
        let names = pieces.dropFirst()
        // The text does not say what kinds the outer types are.
        var candidates: [[Part]] = [[]]
        for (position, name) in names.enumerated() {
            let kinds: [Character] = position == names.count - 1 ? ["C"] : ["C", "V", "O"]
            candidates = candidates.flatMap { parts in kinds.map { parts + [Part(name: name, kind: $0)] } }
        }
        let found = candidates.map { ClassName(module: pieces[0], parts: $0) }.first { $0.type == type }
        guard let found else { return nil }
        self = found
    }

    /// Parses a name from an archive. Nil if it cannot be the name of an application's class.
    init?(archived name: String) {
        if name.hasPrefix("_Tt") {
            self.init(first: Substring(name).dropFirst(3))
        } else {
            let pieces = name.components(separatedBy: ".")
            guard pieces.count == 2, pieces.allSatisfy(Self.isIdentifier) else { return nil }
            self.init(module: pieces[0], parts: [Part(name: pieces[1], kind: "C")])
        }
    }

    /// Parses a name of Swift's first versions, without its prefix.
    private init?(first name: Substring) {
        var rest = name
        var kinds: [Character] = []
        while let kind = rest.first, "CVO".contains(kind), kinds.count < 4 {
            kinds.append(kind)
            rest = rest.dropFirst()
        }
        guard kinds.first == "C", let module = Self.identifier(&rest) else { return nil }
        var parts: [Part] = []
        for kind in kinds.reversed() {
            guard let name = Self.identifier(&rest) else { return nil }
            parts.append(Part(name: name, kind: kind))
        }
        guard rest.isEmpty else { return nil }
        self.init(module: module, parts: parts)
    }

    /// Parses an identifier that follows its length.
    private static func identifier(_ rest: inout Substring) -> String? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), (1...200).contains(count), rest.utf8.count - digits.utf8.count >= count else {
            return nil
        }
        let after = rest.dropFirst(digits.count)
        let identifier = after.prefix(count)
        guard isIdentifier(identifier) else { return nil }
        rest = after.dropFirst(count)
        return String(identifier)
    }
}
