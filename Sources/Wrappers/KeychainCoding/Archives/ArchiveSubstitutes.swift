// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The replacements that objects of the application ask for: another object, or another class to be written as.
///
/// The methods are those that Foundation's archiver calls. Each object is asked once per archive. Objects of
/// Foundation's own classes are not asked, because the tables of this module define their form.
struct ArchiveSubstitutes {
    /// The replacements, each with its original object. Keeping the original ensures that no other object gets its
    /// identifier.
    private var answers: [ObjectIdentifier: (asked: AnyObject, answer: Any?)] = [:]
    private var isFoundations: [ObjectIdentifier: Bool] = [:]
    /// The archiver that objects are given as an argument. It writes nothing.
    private var archiver: NSKeyedArchiver?

    /// The object to write in place of another, which is usually the object itself.
    ///
    /// - Returns: Nil if nothing is to be written.
    mutating func object(for object: Any) -> Any? {
        guard let type = Swift.type(of: object) as? NSObject.Type, !isFoundations(type),
            let own = object as? NSObject
        else { return object }
        if let known = answers[ObjectIdentifier(own)] { return known.answer }
        let archiver = archiver ?? NSKeyedArchiver(requiringSecureCoding: true)
        self.archiver = archiver
        let answer = own.replacementObject(for: archiver)
        answers[ObjectIdentifier(own)] = (own, answer)
        // A replacement is not asked for a replacement.
        if let other = answer as? NSObject, answers[ObjectIdentifier(other)] == nil {
            answers[ObjectIdentifier(other)] = (other, other)
        }
        return answer
    }

    /// Whether the object was asked before.
    func wereAskedFor(_ object: AnyObject) -> Bool { answers[ObjectIdentifier(object)] != nil }

    private mutating func isFoundations(_ type: AnyClass) -> Bool {
        if let known = isFoundations[ObjectIdentifier(type)] { return known }
        let answer = ArchivedClass.isFoundations(type)
        isFoundations[ObjectIdentifier(type)] = answer
        return answer
    }

    // MARK: Classes

    /// The class that an object of the application asks to be written as.
    static func type(of object: AnyObject) -> AnyClass {
        (object as? NSObject)?.classForKeyedArchiver ?? Swift.type(of: object)
    }

    /// Whether a value or collection of the application's own subclass may be written as the class of Foundation above
    /// it.
    ///
    /// On Apple's platforms, such a subclass inherits `classForCoder`, which names Foundation's class. On Linux, it
    /// names the subclass itself. Any other class would not be followed, so it is refused.
    static func isWrittenAsFoundations(_ object: Any) -> Bool {
        guard let type = Swift.type(of: object) as? NSObject.Type, !ArchivedClass.isFoundations(type),
            let own = object as? NSObject, let answer = own.classForKeyedArchiver, answer != type
        else { return true }
        return answer != NSObject.self && ArchivedClass.isFoundations(answer)
            && ArchivedClass.isSame(type, orBelow: answer)
            && isMutable(answer) == isMutable(type)
    }

    private static func isMutable(_ type: AnyClass) -> Bool {
        let classes: [AnyClass] = [
            NSMutableArray.self, NSMutableDictionary.self, NSMutableSet.self, NSMutableOrderedSet.self,
            NSMutableString.self, NSMutableData.self, NSMutableAttributedString.self, NSMutableIndexSet.self,
        ]
        return classes.contains { ArchivedClass.isSame(type, orBelow: $0) }
    }
}
