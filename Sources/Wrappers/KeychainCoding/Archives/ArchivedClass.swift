// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The classes of objects in archives, and their names.
enum ArchivedClass {
    /// Whether a class is Foundation's. Those are archived by the tables of this module, or not at all: their own
    /// methods end the process when the coder is not Foundation's.
    static func isFoundations(_ type: AnyClass) -> Bool {
        foundationsModules.contains(String(String(reflecting: type).prefix { $0 != "." }))
    }

    private static let foundationsModules: Set = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    ]

    static func isSame(_ candidate: AnyClass, orBelow allowed: AnyClass) -> Bool {
        var current: AnyClass? = candidate
        while let this = current {
            if this == allowed { return true }
            current = _getSuperclass(this)
        }
        return false
    }

    /// Whether an object is a class of the application's that may be archived by its own methods.
    ///
    /// A class below one of Foundation's, other than `NSObject`, is not: it would call its superclass' methods.
    static func supportsSecureCoding(_ type: AnyClass) -> Bool {
        guard (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true else { return false }
        var current: AnyClass? = type
        while let this = current, this != NSObject.self {
            if isFoundations(this) { return false }
            current = _getSuperclass(this)
        }
        return true
    }

    // MARK: Names

    /// The name that a class of the application's has in archives, when it can be found by that name again.
    static func name(of type: AnyClass) -> String? {
        let name = NSKeyedArchiver.classNameForClass(type) ?? ClassName(type)?.archived
        guard let name, Self.named(name) == type else { return nil }
        return name
    }

    /// The class of the application's with a name in an archive, when it supports secure coding.
    static func named(_ name: String) -> AnyClass? {
        guard let type = NSKeyedUnarchiver.class(forClassName: name) ?? ClassName(archived: name)?.type,
            supportsSecureCoding(type)
        else { return nil }
        return type
    }

    /// The class whose `init(coder:)` makes an object that was written as a class of the application's: the one that the
    /// class itself asks for. Nil when that one does not support secure coding.
    static func comingToLife(as type: AnyClass) -> AnyClass? {
        let answer: AnyClass = (type as? NSObject.Type)?.classForKeyedUnarchiver() ?? type
        return supportsSecureCoding(answer) ? answer : nil
    }
}
