// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the objects of a keyed archive that somebody may have tampered with.
///
/// This type makes Foundation's values and collections, field by field. Objects of the application's own classes are
/// made by their `init(coder:)`, if the class is allowed. A cycle is an error, because nothing can refer to a Swift
/// object before it is complete.
final class ArchiveReader {
    let archive: KeyedArchive
    private let classes: ApplicationClasses
    /// The objects that are complete, by their index in the table.
    private(set) var finished: [Int: NSObject] = [:]
    /// The objects between the root and this one. An object that occurs twice here is a cycle.
    private var path: Set<Int> = []
    /// The number of values in each collection. A value counts once for each time that it is used.
    private var weights: [Int: Int] = [:]
    private var weight = 0
    /// The classes of each object, and of everything in it if it is a collection, by its index in the table. If another
    /// field leads to the same object, its expected classes are checked against these.
    private var kinds: [Int: [ObjectIdentifier: AnyClass]] = [:]
    /// The classes of everything that was read since the current object began.
    private var currentKinds: [ObjectIdentifier: AnyClass] = [:]
    /// The classes that an object of the application expects; nil for any.
    private(set) var expected: [AnyClass]?
    /// A failure in an object's initialiser, which cannot throw.
    private(set) var failure: CodingFailure?

    init(_ archive: KeyedArchive, classes: ApplicationClasses) {
        self.archive = archive
        self.classes = classes
    }

    func fail(_ failure: CodingFailure) {
        self.failure = self.failure ?? failure
    }

    /// The object of a reference, or nil for the archive's nil.
    func object(_ reference: PropertyList) throws(CodingFailure) -> NSObject? {
        guard let index = archive.index(reference) else { throw .damaged }
        if case .text(let text) = archive.objects[index], ExactText(text) == KeyedArchive.null { return nil }
        return try object(at: index)
    }

    /// The object of a field. It, and everything in it if it is a collection, must be of expected classes.
    func object(_ field: PropertyList, expecting classes: [AnyClass]?) throws(CodingFailure) -> NSObject? {
        let outer = expected
        expected = classes ?? outer
        defer { expected = outer }
        guard case .reference = field else { return try checked(try field.object()) }
        return try object(field)
    }

    /// The object of a reference that must not be nil.
    func present(_ reference: PropertyList?) throws(CodingFailure) -> NSObject {
        guard let object = try reference.map({ (field) throws(CodingFailure) in try object(field) }) ?? nil else {
            throw .damaged
        }
        return object
    }

    private func object(at index: Int) throws(CodingFailure) -> NSObject {
        if let object = finished[index] {
            weight += weights[index] ?? 1
            guard weight <= PropertyList.greatestWeight else { throw .tooLarge }
            try check(kinds[index] ?? [:])
            return object
        }
        guard path.count < PropertyList.greatestDepth, path.insert(index).inserted else { throw .tooDeep }
        let (weightBefore, kindsBefore) = (weight, currentKinds)
        currentKinds = [:]
        weight += 1
        let object = try checked(try made(archive.objects[index]))
        path.remove(index)
        finished[index] = object
        weights[index] = weight - weightBefore
        let found = currentKinds
        if !found.isEmpty { kinds[index] = found }
        currentKinds = kindsBefore
        currentKinds.merge(found) { kind, _ in kind }
        return object
    }

    /// Checks an object that was read earlier against the classes that are expected now.
    private func check(_ kinds: [ObjectIdentifier: AnyClass]) throws(CodingFailure) {
        for kind in kinds.values where !isExpected(kind) {
            throw CodingFailure(.refusedClass, typeName: String(describing: kind))
        }
        currentKinds.merge(kinds) { kind, _ in kind }
    }

    private func made(_ value: PropertyList) throws(CodingFailure) -> NSObject {
        switch value {
        case .dictionary(let fields):
            guard let name = archive.className(of: fields) else { throw .damaged }
            // An application may have registered one of its classes under a name of Foundation's.
            if NSKeyedUnarchiver.class(forClassName: name.string) == nil,
                let object = try FoundationFields.object(name, fields, in: self)
            {
                return object
            }
            return try own(name.string, fields)
        case .array, .reference: throw .damaged
        default: return try value.object()
        }
    }

    private func own(_ name: String, _ fields: [ExactText: PropertyList]) throws(CodingFailure) -> NSObject {
        guard let type = ArchivedClass.named(name).flatMap(ArchivedClass.comingToLife), classes.allows(type),
            isExpected(type), let coding = type as? any NSSecureCoding.Type
        else { throw CodingFailure(.refusedClass, typeName: name) }
        // The expected classes of this object are independent of those of the object around it.
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
        // Values of a property list are harmless, and Apple's reader accepts them inside collections as well.
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
