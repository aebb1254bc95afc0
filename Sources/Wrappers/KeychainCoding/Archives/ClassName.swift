// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of a class, as Swift's runtime and Apple's archives spell it.
///
/// A class at the top of a file is `Module.Class` in an archive. One inside another type has the name that Swift had for
/// it in its first versions, such as `_TtCC6Module5Outer5Inner`. The runtime is asked with names that are put together here
/// from plain identifiers: it is not made to read what somebody may have written into an item.
///
/// A private class has no name here, in writing as in reading: nobody outside its file was meant to make an object of it, and
/// Swift puts a digest of the file's name into its own.
struct ClassName {
    /// One type in the name: the outermost first.
    private struct Part: Equatable {
        let name: String
        /// `C` for a class, `V` for a structure, `O` for an enumeration.
        let kind: Character
    }

    private let module: String
    private let parts: [Part]

    /// The class itself, nil when there is none of that name.
    var type: AnyClass? { _typeByName(mangled) as? AnyClass }

    /// The name in an archive.
    var archived: String {
        if parts.count == 1 { return "\(module).\(parts[0].name)" }
        let kinds = String(parts.reversed().map(\.kind))
        let names = parts.map { Self.counted($0.name) }
        return "_Tt\(kinds)\(Self.counted(module))\(names.joined())"
    }

    /// The name that the runtime finds a type by.
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
    /// The name of a class of this process, nil when it has one that archives cannot hold: that of a private or a
    /// generic class, of one inside a function, or with letters other than ASCII's.
    init?(_ type: AnyClass) {
        // "Module.Outer.Inner"; a private one has parentheses and spaces in it.
        let pieces = String(reflecting: type).components(separatedBy: ".")
        guard pieces.count >= 2, pieces.count <= 5, pieces.allSatisfy(Self.isIdentifier) else { return nil }
        let names = pieces.dropFirst()
        // Of the types around it, the name does not say what they are.
        var candidates: [[Part]] = [[]]
        for (position, name) in names.enumerated() {
            let kinds: [Character] = position == names.count - 1 ? ["C"] : ["C", "V", "O"]
            candidates = candidates.flatMap { parts in kinds.map { parts + [Part(name: name, kind: $0)] } }
        }
        let found = candidates.map { ClassName(module: pieces[0], parts: $0) }.first { $0.type == type }
        guard let found else { return nil }
        self = found
    }

    /// A name from an archive, nil when it is no name of a class of an application's.
    init?(archived name: String) {
        if name.hasPrefix("_Tt") {
            self.init(first: Substring(name).dropFirst(3))
        } else {
            let pieces = name.components(separatedBy: ".")
            guard pieces.count == 2, pieces.allSatisfy(Self.isIdentifier) else { return nil }
            self.init(module: pieces[0], parts: [Part(name: pieces[1], kind: "C")])
        }
    }

    /// A name in the spelling of Swift's first versions, without what it begins with.
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

    /// An identifier with its length in front.
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
