// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes objects into the table of a keyed archive.
final class ArchiveWriter {
    private var objects: [PropertyList] = [.text(KeyedArchive.null.string)]
    private var indexOfText: [ExactText: Int] = [:]
    private var indexOfClass: [ExactText: Int] = [:]
    /// An object that is used twice is written once. Keeping the objects ensures that no other object gets their
    /// identifier.
    private var indexOfObject: [ObjectIdentifier: (index: Int, object: AnyObject)] = [:]
    /// The classes that objects of the application are written as, by their index in the table.
    private var classes: [Int: AnyClass] = [:]
    private var substitutes = ArchiveSubstitutes()
    /// References to objects that are only written if another reference needs them.
    private var conditional: [(owner: Int, field: ExactText, object: AnyObject)] = []
    private var depth = 0
    /// A failure in an object's own method, which cannot throw.
    private var failure: CodingFailure?

    func archive(of object: Any, key: String) throws(CodingFailure) -> KeyedArchive {
        let root = try reference(to: object)
        if let failure { throw failure }
        for (owner, field, object) in conditional where isWritten(object) {
            set(try reference(to: object), field, of: owner)
        }
        return KeyedArchive(objects: objects, top: [KeyedArchive.field(key): root])
    }

    /// The written objects that have fields, by their index in the table. For an object of the application, `type` is
    /// the class that it was written as.
    var written: some Sequence<(index: Int, object: AnyObject, type: AnyClass?)> {
        indexOfObject.values.map { ($0.index, $0.object, classes[$0.index]) }
    }

    func fail(_ failure: CodingFailure) {
        self.failure = self.failure ?? failure
    }

    // MARK: Objects

    /// Writes an object if it was not written yet, and returns a reference to it.
    func reference(to object: Any?) throws(CodingFailure) -> PropertyList {
        guard let object else { return .reference(0) }
        guard depth < PropertyList.greatestDepth else { throw .tooDeep }
        depth += 1
        defer { depth -= 1 }
        guard let object = substitutes.object(for: object) else { return .reference(0) }
        if let value = FoundationValue(object) {
            guard ArchiveSubstitutes.isWrittenAsFoundations(object) else { throw unsupported(object) }
            return try reference(to: value)
        }
        let own = object as AnyObject
        if let known = indexOfObject[ObjectIdentifier(own)] { return .reference(known.index) }
        let type: AnyClass = ArchiveSubstitutes.type(of: own)
        guard ArchivedClass.supportsSecureCoding(Swift.type(of: own)), ArchivedClass.supportsSecureCoding(type),
            let coding = own as? any NSSecureCoding, let name = ArchivedClass.name(of: type)
        else { throw unsupported(object) }
        let index = reserve(for: own)
        classes[index] = type
        coding.encode(with: ArchiveEncoder(writer: self, index: index))
        set(classReference([name, "NSObject"]), "$class", of: index)
        return .reference(index)
    }

    private func unsupported(_ object: Any) -> CodingFailure {
        CodingFailure(.unsupported, typeName: String(describing: type(of: object)))
    }

    private func reference(to value: FoundationValue) throws(CodingFailure) -> PropertyList {
        switch value {
        // A text that equals the archiver's word for nil is not written as a text in the table.
        case .leaf(.text(let text)) where ExactText(text) != KeyedArchive.null:
            if let index = indexOfText[ExactText(text)] { return .reference(index) }
            indexOfText[ExactText(text)] = objects.count
            return append(.text(text))
        case .leaf(.date(let seconds)):
            return append(fields: ["NS.time": .real(seconds)], class: ["NSDate", "NSObject"])
        case .leaf(.text(let text)):
            return append(fields: ["NS.string": .text(text)], class: ["NSString", "NSObject"])
        case .leaf(let leaf): return append(leaf)
        case .object(let object):
            if let known = indexOfObject[ObjectIdentifier(object)] { return .reference(known.index) }
            let index = reserve(for: object)
            let fields = try FoundationFields.of(object, in: self)
            objects[index] = .dictionary(fields.values)
            set(classReference(fields.classNames), "$class", of: index)
            return .reference(index)
        }
    }

    func references(to objects: some Sequence<Any>) throws(CodingFailure) -> PropertyList {
        var references: [PropertyList] = []
        for object in objects { references.append(try reference(to: object)) }
        return .array(references)
    }

    // MARK: The table

    private func append(_ value: PropertyList) -> PropertyList {
        objects.append(value)
        return .reference(objects.count - 1)
    }

    private func append(fields: [ExactText: PropertyList], class names: [String]) -> PropertyList {
        var fields = fields
        fields["$class"] = classReference(names)
        return append(.dictionary(fields))
    }

    /// The index of an object whose fields are written later, so that they may refer to it.
    private func reserve(for object: AnyObject) -> Int {
        objects.append(.dictionary([:]))
        indexOfObject[ObjectIdentifier(object)] = (objects.count - 1, object)
        return objects.count - 1
    }

    private func classReference(_ names: [String]) -> PropertyList {
        if let index = indexOfClass[ExactText(names[0])] { return .reference(index) }
        indexOfClass[ExactText(names[0])] = objects.count
        return append(.dictionary(["$classname": .text(names[0]), "$classes": .array(names.map { .text($0) })]))
    }

    func set(_ value: PropertyList, _ field: ExactText, of index: Int) {
        guard case .dictionary(var fields) = objects[index] else { return }
        objects[index] = .boolean(false)
        fields[field] = value
        objects[index] = .dictionary(fields)
    }

    func refer(to object: AnyObject, _ field: ExactText, of owner: Int) {
        set(.reference(0), field, of: owner)
        conditional.append((owner, field, object))
    }

    /// Whether a reference that is not conditional needs the object.
    private func isWritten(_ object: AnyObject) -> Bool {
        indexOfObject[ObjectIdentifier(object)] != nil || substitutes.wereAskedFor(object)
    }
}
