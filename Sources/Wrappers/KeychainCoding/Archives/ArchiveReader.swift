// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Brings the objects of a keyed archive to life that may have been tampered with.
///
/// Foundation's values and collections are made here, field by field. Objects of the application's own classes are made
/// by their `init(coder:)`, when the class may come to life. Circles end it: an object of Swift's cannot be referred to
/// before it is complete.
final class ArchiveReader {
    let archive: KeyedArchive
    private let classes: ApplicationClasses
    /// What was read already, by its place in the table.
    private(set) var finished: [Int: NSObject] = [:]
    /// The objects between the root and here: to meet one of them again is a circle.
    private var path: Set<Int> = []
    /// How many values were made for collections, each counted as often as it is used.
    private var weights: [Int: Int] = [:]
    private var weight = 0
    /// What it takes to compare what was made, each counted as often as it is used.
    private var costs: [Int: Int] = [:]
    private var cost = 0
    /// The classes of what was read, by its place in the table: those of an object, and of all that it holds as a
    /// collection. What was read for one field must be of the classes of the next that leads to it.
    private var kinds: [Int: [ObjectIdentifier: AnyClass]] = [:]
    /// The classes of what was read since the object that is being read began.
    private var currentKinds: [ObjectIdentifier: AnyClass] = [:]
    var budget: ReadingBudget
    private var leaves = ObjectBuilder()
    /// What Foundation has to do for the sets and dictionaries made so far.
    var comparisons = Comparisons()
    /// The classes that an object of the application's has asked for, nil for any.
    private(set) var expected: [AnyClass]?
    /// What went wrong inside an object's own initialiser, which cannot throw.
    private(set) var failure: CodingFailure?

    /// - Parameter size: How many bytes the archive has.
    init(_ archive: KeyedArchive, size: Int, classes: ApplicationClasses) {
        self.archive = archive
        budget = ReadingBudget(size: size)
        self.classes = classes
    }

    func fail(_ failure: CodingFailure) {
        self.failure = self.failure ?? failure
    }

    /// The object that a reference leads to, nil for the archive's nil.
    func object(_ reference: PropertyList) throws(CodingFailure) -> NSObject? {
        guard let index = archive.index(reference) else { throw .damaged }
        if case .text(let text) = archive.objects[index], ExactText(text) == KeyedArchive.null { return nil }
        return try object(at: index)
    }

    /// The object that a field holds, when it, and whatever a collection of it holds, is of classes that were asked for.
    func object(_ field: PropertyList, expecting classes: [AnyClass]?) throws(CodingFailure) -> NSObject? {
        let outer = expected
        expected = classes ?? outer
        defer { expected = outer }
        guard case .reference = field else { return try checked(try leaves.object(of: field)) }
        return try object(field)
    }

    /// The object at a place that must not be nil.
    func present(_ reference: PropertyList?) throws(CodingFailure) -> NSObject {
        guard let object = try reference.map({ (field) throws(CodingFailure) in try object(field) }) ?? nil else {
            throw .damaged
        }
        return object
    }

    private func object(at index: Int) throws(CodingFailure) -> NSObject {
        if let object = finished[index] {
            weight += weights[index] ?? 1
            try add(cost: costs[index] ?? 1)
            guard weight <= PropertyList.greatestWeight else { throw .tooLarge }
            try check(kinds[index] ?? [:])
            return object
        }
        guard path.count < PropertyList.greatestDepth, path.insert(index).inserted else { throw .tooDeep }
        let (weightBefore, costBefore, kindsBefore) = (weight, cost, currentKinds)
        currentKinds = [:]
        weight += 1
        let object = try checked(try made(archive.objects[index]))
        path.remove(index)
        finished[index] = object
        try add(cost: Comparisons.weight(of: object))
        weights[index] = weight - weightBefore
        costs[index] = cost - costBefore
        let found = currentKinds
        if !found.isEmpty { kinds[index] = found }
        currentKinds = kindsBefore
        currentKinds.merge(found) { kind, _ in kind }
        return object
    }

    /// - Throws: ``CodingFailure`` when it takes longer than a number can say.
    private func add(cost more: Int) throws(CodingFailure) {
        let (sum, isTooLarge) = cost.addingReportingOverflow(more)
        if isTooLarge { throw .tooLarge }
        cost = sum
    }

    /// Checks what was read before against the classes that are asked for now.
    private func check(_ kinds: [ObjectIdentifier: AnyClass]) throws(CodingFailure) {
        for kind in kinds.values where !isExpected(kind) {
            throw CodingFailure(.refusedClass, typeName: String(describing: kind))
        }
        currentKinds.merge(kinds) { kind, _ in kind }
    }

    /// What it takes to compare the object that a reference leads to with another one.
    func cost(of reference: PropertyList) -> Int {
        archive.index(reference).flatMap { costs[$0] } ?? 1
    }

    private func made(_ value: PropertyList) throws(CodingFailure) -> NSObject {
        switch value {
        case .dictionary(let fields):
            guard let name = archive.className(of: fields) else { throw .damaged }
            // Swift looks names up by their letters, which takes long for a run of accents.
            try comparisons.count(Comparisons.member(name.string as NSString, weight: 1).ownCost)
            // An application may have given one of its classes a name of Foundation's.
            if NSKeyedUnarchiver.class(forClassName: name.string) == nil,
                let object = try FoundationFields.object(name, fields, in: self)
            {
                return object
            }
            return try own(name.string, fields)
        case .array, .reference: throw .damaged
        default: return try leaves.object(of: value)
        }
    }

    private func own(_ name: String, _ fields: [ExactText: PropertyList]) throws(CodingFailure) -> NSObject {
        guard let type = ArchivedClass.named(name).flatMap(ArchivedClass.comingToLife), classes.allows(type),
            isExpected(type), let coding = type as? any NSSecureCoding.Type
        else { throw CodingFailure(.refusedClass, typeName: name) }
        // What an object asks for is its own matter, and not that of the object around it.
        let (outer, outerKinds) = (expected, currentKinds)
        expected = nil
        defer { (expected, currentKinds) = (outer, outerKinds) }
        let object = coding.init(coder: ArchiveDecoder(reader: self, fields: fields))
        if let failure { throw failure }
        guard let object = object as? NSObject else { throw CodingFailure(.refusedClass, typeName: name) }
        return object
    }

    private func checked(_ object: NSObject) throws(CodingFailure) -> NSObject {
        switch object {
        // What a property list holds is harmless, and Apple's reader lets it pass inside collections as well.
        case is NSString, is NSNumber, is NSData, is NSDate, is NSNull: return object
        default:
            try check([ObjectIdentifier(type(of: object)): type(of: object)])
            return object
        }
    }

    private func isExpected(_ type: AnyClass) -> Bool {
        expected?.contains { ArchivedClass.isSame(type, orBelow: $0) } ?? true
    }
}
