import Foundation

/// An object as bytes: a keyed archive with the object under the caller's key, as the original writes it.
enum Archive {
    /// - Returns: Nil when the object holds something that cannot be archived. Foundation would end the process.
    static func data(of object: any NSSecureCoding, key: String) -> NSData? {
        guard canArchive(object, depth: 0) else { return nil }
        let data = NSMutableData()
        let archiver = NSKeyedArchiver(forWritingWith: data)
        archiver.requiresSecureCoding = true
        archiver.encode(object, forKey: key)
        archiver.finishEncoding()
        return archiver.error == nil ? data : nil
    }

    /// The object, when the archive holds nothing but Foundation's values and collections and objects of those classes.
    static func object(in data: Data, key: String, classes: [AnyClass]) -> Any? {
        guard let table = ArchiveTable(data) else { return nil }
        var reader = FoundationReader(table)
        if let object = try? reader.object(table.root(key)) { return object }
        return classes.isEmpty ? nil : object(in: data, table, key: key, classes: classes + foundationClasses)
    }

    private static func object(in data: Data, _ table: ArchiveTable, key: String, classes: [AnyClass]) -> Any? {
        guard ArchiveInspector(table: table, classes: classes).isSound,
            let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data)
        else { return nil }
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        let object = unarchiver.decodeObject(of: classes, forKey: key)
        return unarchiver.error == nil ? object : nil
    }

    private static let foundationClasses: [AnyClass] = [
        NSArray.self, NSData.self, NSDate.self, NSDictionary.self, NSNull.self, NSNumber.self, NSOrderedSet.self,
        NSSet.self, NSString.self, NSURL.self, NSUUID.self,
    ]

    private static let greatestDepth = 200

    private static func canArchive(_ object: Any, depth: Int) -> Bool {
        guard depth < greatestDepth else { return false }
        switch object {
        case is String, is NSNumber, is NSData, is Date: return true
        case let array as NSArray: return array.allSatisfy { canArchive($0, depth: depth + 1) }
        case let set as NSSet: return set.allSatisfy { canArchive($0, depth: depth + 1) }
        case let set as NSOrderedSet: return set.allSatisfy { canArchive($0, depth: depth + 1) }
        case let dictionary as NSDictionary:
            return dictionary.allSatisfy { entry in
                canArchive(entry.key, depth: depth + 1) && canArchive(entry.value, depth: depth + 1)
            }
        default: return supportsSecureCoding(object as AnyObject)
        }
    }

    private static func supportsSecureCoding(_ object: AnyObject) -> Bool {
        (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding == true
    }
}
