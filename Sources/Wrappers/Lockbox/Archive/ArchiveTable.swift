import Foundation

/// A keyed archive as the property list that it is: a table of objects that refer to each other by index.
struct ArchiveTable {
    let objects: [Any]
    private let top: [String: Any]

    static let null = "$null"

    /// - Returns: Nil when the bytes are no keyed archive.
    init?(_ data: Data) {
        guard let archive = (try? BinaryPropertyList.value(in: data)) as? [String: Any],
            let objects = archive["$objects"] as? [Any], let top = archive["$top"] as? [String: Any]
        else { return nil }
        self.objects = objects
        self.top = top
    }

    var roots: [Any] { Array(top.values) }

    /// The reference under a key of the caller's.
    func root(_ key: String) -> Any? {
        // The archiver marks keys that look like its own.
        top[key.hasPrefix("$") ? "$" + key : key]
    }

    /// The name of the class of an object.
    func className(of fields: [String: Any]) -> String? {
        guard let index = fields["$class"].flatMap(index) else { return nil }
        return (objects[index] as? [String: Any])?["$classname"] as? String
    }

    /// The index that a reference holds, when there is an object at it.
    func index(_ value: Any) -> Int? {
        guard let reference = value as? BinaryPropertyList.Reference else { return nil }
        return objects.indices.contains(reference.index) ? reference.index : nil
    }

    func isReference(_ value: Any) -> Bool {
        value is BinaryPropertyList.Reference
    }
}
