// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the application's objects ask to be written in their place: another object, or a class other than their own.
///
/// The methods are those that Foundation's archiver asks, and each object is asked once in an archive. Objects of
/// Foundation's own classes are not asked: the tables of this module say what they are written as.
struct ArchiveSubstitutes {
    /// What was answered, with the object that was asked, so that no other one gets its identifier.
    private var answers: [ObjectIdentifier: (asked: AnyObject, answer: Any?)] = [:]
    private var isFoundations: [ObjectIdentifier: Bool] = [:]
    /// Who asks. Nothing is written with it.
    private var archiver: NSKeyedArchiver?

    /// What to write in an object's place: itself as a rule.
    ///
    /// - Returns: Nil when nothing is to be written.
    mutating func object(for object: Any) -> Any? {
        guard let type = Swift.type(of: object) as? NSObject.Type, !isFoundations(type),
            let own = object as? NSObject
        else { return object }
        if let known = answers[ObjectIdentifier(own)] { return known.answer }
        let archiver = archiver ?? NSKeyedArchiver(requiringSecureCoding: true)
        self.archiver = archiver
        let answer = own.replacementObject(for: archiver)
        answers[ObjectIdentifier(own)] = (own, answer)
        // What takes an object's place is not asked for what takes its own.
        if let other = answer as? NSObject, answers[ObjectIdentifier(other)] == nil {
            answers[ObjectIdentifier(other)] = (other, other)
        }
        return answer
    }

    /// Whether an object was asked already.
    func wereAskedFor(_ object: AnyObject) -> Bool { answers[ObjectIdentifier(object)] != nil }

    private mutating func isFoundations(_ type: AnyClass) -> Bool {
        if let known = isFoundations[ObjectIdentifier(type)] { return known }
        let answer = ArchivedClass.isFoundations(type)
        isFoundations[ObjectIdentifier(type)] = answer
        return answer
    }

    // MARK: Classes

    /// The class that an object of the application's asks to be written as.
    static func type(of object: AnyObject) -> AnyClass {
        (object as? NSObject)?.classForKeyedArchiver ?? Swift.type(of: object)
    }

    /// Whether a collection or value of the application's own class may be written as the class of Foundation's below which
    /// it is.
    ///
    /// Such a class inherits `classForCoder` on Apple's platforms, which names Foundation's. On Linux it names the class
    /// itself. Any other answer is one that would not be followed.
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
