// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The classes of objects in archives, and their names.
enum ArchivedClass {
    /// Whether a class is one of Foundation's. The tables of this module archive these classes, or they are not
    /// archived: their own methods end the process if the coder is not Foundation's.
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

    /// Whether the methods of an application's class may archive its objects.
    ///
    /// This excludes subclasses of Foundation's classes other than `NSObject`, because they would call the methods of
    /// the superclass.
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

    /// The name of an application's class in archives, or nil if the class cannot be found again by that name.
    static func name(of type: AnyClass) -> String? {
        let name = NSKeyedArchiver.classNameForClass(type) ?? ClassName(type)?.archived
        guard let name, Self.named(name) == type else { return nil }
        return name
    }

    /// The application's class with a name in an archive, or nil if it does not support secure coding.
    static func named(_ name: String) -> AnyClass? {
        guard let type = NSKeyedUnarchiver.class(forClassName: name) ?? ClassName(archived: name)?.type,
            supportsSecureCoding(type)
        else { return nil }
        return type
    }

    /// The class whose `init(coder:)` makes an object that was written as a class of the application. The class itself
    /// chooses it. Nil if the chosen class does not support secure coding.
    static func comingToLife(as type: AnyClass) -> AnyClass? {
        let answer: AnyClass = (type as? NSObject.Type)?.classForKeyedUnarchiver() ?? type
        return supportsSecureCoding(answer) ? answer : nil
    }
}
