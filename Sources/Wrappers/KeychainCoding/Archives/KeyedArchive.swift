// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A keyed archive as the property list that it is: a table of objects that refer to each other by their place.
///
/// The layout is the one of Apple's `NSKeyedArchiver`. Neither that class nor `NSKeyedUnarchiver` is used: on Linux they
/// end the process at objects that cannot be archived, at classes that are not allowed and at damaged references.
package struct KeyedArchive: Sendable {
    let objects: [PropertyList]
    let top: [ExactText: PropertyList]

    /// What stands for nil in the table.
    static let null: ExactText = "$null"
    static let archiver = "NSKeyedArchiver"
    /// How many bytes the name of a class may have.
    private static let greatestName = 1000

    init(objects: [PropertyList], top: [ExactText: PropertyList]) {
        self.objects = objects
        self.top = top
    }

    /// - Throws: ``CodingFailure`` when the list is no keyed archive.
    package init(_ list: PropertyList) throws(CodingFailure) {
        guard case .dictionary(let archive) = list, case .array(let objects)? = archive["$objects"],
            case .dictionary(let top)? = archive["$top"]
        else { throw .damaged }
        self.objects = objects
        self.top = top
    }

    /// Whether a list says of itself that it is an archive.
    package static func isArchive(_ list: PropertyList) -> Bool {
        guard case .dictionary(let entries) = list else { return false }
        return entries["$archiver"] != nil
    }

    package var propertyList: PropertyList {
        .dictionary([
            "$version": .integer(100_000), "$archiver": .text(Self.archiver), "$top": .dictionary(top),
            "$objects": .array(objects),
        ])
    }

    /// A caller's key as it is written: keys that look like the archiver's own are marked.
    static func field(_ key: String) -> ExactText {
        ExactText(key.utf8.starts(with: "$".utf8) ? "$" + key : key)
    }

    /// The place that a reference leads to, when there is an object at it.
    func index(_ value: PropertyList) -> Int? {
        guard case .reference(let index) = value, objects.indices.contains(index) else { return nil }
        return index
    }

    /// The name of the class of an object that has fields.
    func className(of fields: [ExactText: PropertyList]) -> ExactText? {
        guard let index = fields["$class"].flatMap(index), case .dictionary(let description) = objects[index],
            case .text(let name)? = description["$classname"], name.utf8.count <= Self.greatestName
        else { return nil }
        return ExactText(name)
    }
}

extension KeyedArchive {
    /// Archives an object, and reads the archive once to be sure that it can be read.
    ///
    /// - Parameters:
    ///   - object: The object: one of Foundation's values or collections, or of a class of the application's that
    ///     supports secure coding.
    ///   - key: The key of the object at the top.
    ///   - classes: Which classes of the application's may come to life when it is read again.
    /// - Throws: ``CodingFailure`` when it, or anything in it, cannot be archived or would not come back.
    package static func data(of object: Any, key: String, classes: ApplicationClasses) throws(CodingFailure) -> Data {
        let writer = ArchiveWriter()
        let archive = try writer.archive(of: object, key: key)
        let data = try archive.propertyList.checkedBinary()
        let reader = ArchiveReader(archive, size: data.count, classes: classes)
        guard let root = archive.top[field(key)], try reader.object(root) != nil else {
            throw CodingFailure(.unsupported, typeName: String(describing: type(of: object)))
        }
        for written in writer.written {
            // What no object has asked for when it was read has no copy.
            guard let copy = reader.finished[written.index] else { continue }
            guard CopyCheck.isCopy(copy, of: written.object, writtenAs: written.type) else {
                throw CodingFailure(.unsupported, typeName: String(describing: type(of: written.object)))
            }
        }
        return data
    }

    /// Gives the object of an archive.
    ///
    /// - Returns: Nil when nil was archived.
    /// - Throws: ``CodingFailure`` when the bytes are no archive, when there is nothing under the key, and when anything
    ///   that the object needs is damaged or of a class that may not come to life.
    package static func object(
        in data: Data, key: String, classes: ApplicationClasses
    ) throws(CodingFailure) -> NSObject? {
        let archive = try KeyedArchive(try PropertyList(data: data))
        guard let root = archive.top[field(key)] else { throw .damaged }
        return try ArchiveReader(archive, size: data.count, classes: classes).object(root)
    }
}

/// Which classes of the application's may come to life from an archive.
///
/// Foundation's values and collections always may. Other classes of Foundation's never do.
package enum ApplicationClasses: Sendable {
    /// Every class that supports secure coding, found by its name.
    case supportingSecureCoding
    /// These, and those below them.
    case only([any AnyObject.Type])

    func allows(_ candidate: AnyClass) -> Bool {
        switch self {
        case .supportingSecureCoding: true
        case .only(let classes): classes.contains { ArchivedClass.isSame(candidate, orBelow: $0) }
        }
    }
}
