// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A keyed archive as a property list: a table of objects that refer to each other by index.
///
/// The layout is that of Apple's `NSKeyedArchiver`. On Linux, neither that class nor `NSKeyedUnarchiver` can be used:
/// they end the process for objects that cannot be archived, for classes that are not allowed and for damaged
/// references.
package struct KeyedArchive: Sendable {
    let objects: [PropertyList]
    let top: [ExactText: PropertyList]

    /// The text that represents nil in the table.
    static let null: ExactText = "$null"
    static let archiver = "NSKeyedArchiver"
    /// The greatest length of a class name in bytes.
    private static let greatestName = 1000

    init(objects: [PropertyList], top: [ExactText: PropertyList]) {
        self.objects = objects
        self.top = top
    }

    /// - Throws: ``CodingFailure`` if the list is not a keyed archive.
    package init(_ list: PropertyList) throws(CodingFailure) {
        guard case .dictionary(let archive) = list, case .array(let objects)? = archive["$objects"],
            case .dictionary(let top)? = archive["$top"]
        else { throw .damaged }
        self.objects = objects
        self.top = top
    }

    /// Whether a list claims to be an archive.
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

    /// The key in the archive for a caller's key. Keys that look like the archiver's own get a prefix.
    static func field(_ key: String) -> ExactText {
        ExactText(key.utf8.starts(with: "$".utf8) ? "$" + key : key)
    }

    /// The index of a reference, or nil if there is no object at that index.
    func index(_ value: PropertyList) -> Int? {
        guard case .reference(let index) = value, objects.indices.contains(index) else { return nil }
        return index
    }

    func className(of fields: [ExactText: PropertyList]) -> ExactText? {
        guard let index = fields["$class"].flatMap(index), case .dictionary(let description) = objects[index],
            case .text(let name)? = description["$classname"], name.utf8.count <= Self.greatestName
        else { return nil }
        return ExactText(name)
    }
}

extension KeyedArchive {
    /// Archives an object, and reads the archive once to check it.
    ///
    /// - Parameters:
    ///   - object: One of Foundation's values or collections, or an object of an application's class that supports
    ///     secure coding.
    ///   - key: The key of the object at the top level.
    ///   - classes: The application's classes that are allowed when the archive is read again.
    /// - Throws: ``CodingFailure`` if the object, or anything in it, cannot be archived or would not be read back as it
    ///   was.
    package static func data(of object: Any, key: String, classes: ApplicationClasses) throws(CodingFailure) -> Data {
        let writer = ArchiveWriter()
        let archive = try writer.archive(of: object, key: key)
        let data = try archive.propertyList.checkedBinary()
        let reader = ArchiveReader(archive, classes: classes)
        guard let root = archive.top[field(key)], try reader.object(root) != nil else {
            throw CodingFailure(.unsupported, typeName: String(describing: type(of: object)))
        }
        for written in writer.written {
            // An object that no other object asked for when it was read has no copy.
            guard let copy = reader.finished[written.index] else { continue }
            guard CopyCheck.isCopy(copy, of: written.object, writtenAs: written.type) else {
                throw CodingFailure(.unsupported, typeName: String(describing: type(of: written.object)))
            }
        }
        return data
    }

    /// Reads the object of an archive.
    ///
    /// - Returns: Nil if nil was archived.
    /// - Throws: ``CodingFailure`` if the bytes are not an archive, if the key is missing, or if anything that the
    ///   object needs is damaged or of a class that is not allowed.
    package static func object(
        in data: Data, key: String, classes: ApplicationClasses
    ) throws(CodingFailure) -> NSObject? {
        let archive = try KeyedArchive(try PropertyList(data: data))
        guard let root = archive.top[field(key)] else { throw .damaged }
        return try ArchiveReader(archive, classes: classes).object(root)
    }
}

/// The application's classes whose objects may be made from an archive.
///
/// Foundation's values and collections are always allowed. Other classes of Foundation's never are.
package enum ApplicationClasses: Sendable {
    /// Every class that supports secure coding and can be found by its name.
    case supportingSecureCoding
    /// These classes and their subclasses.
    case only([any AnyObject.Type])

    func allows(_ candidate: AnyClass) -> Bool {
        switch self {
        case .supportingSecureCoding: true
        case .only(let classes): classes.contains { ArchivedClass.isSame(candidate, orBelow: $0) }
        }
    }
}
