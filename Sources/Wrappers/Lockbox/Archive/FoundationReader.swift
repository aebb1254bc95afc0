import Foundation

/// Reads an archive that holds nothing but Foundation's values and collections.
///
/// Foundation's own reader on Linux is not safe with archives that were tampered with: it reads past the end of a
/// dictionary of which one value is damaged. This one gives up instead, and no class comes to life by its name.
struct FoundationReader {
    private let table: ArchiveTable
    private var finished: [Int: Any] = [:]
    private var path: Set<Int> = []

    private static let greatestDepth = 200

    init(_ table: ArchiveTable) {
        self.table = table
    }

    /// Why the archive was not read: something in it is damaged, or of another class.
    struct Refusal: Error {}

    mutating func object(_ reference: Any?) throws(Refusal) -> Any {
        guard let index = reference.flatMap(table.index) else { throw Refusal() }
        if let object = finished[index] { return object }
        guard path.count < Self.greatestDepth, path.insert(index).inserted else { throw Refusal() }
        let object = try made(table.objects[index])
        path.remove(index)
        finished[index] = object
        return object
    }

    private mutating func made(_ value: Any) throws(Refusal) -> Any {
        guard let fields = value as? [String: Any] else { return try plain(value) }
        switch table.className(of: fields) {
        case "NSArray": return try objects(fields["NS.objects"]) as NSArray
        case "NSMutableArray": return NSMutableArray(array: try objects(fields["NS.objects"]))
        case "NSSet": return NSSet(array: try objects(fields["NS.objects"]))
        case "NSMutableSet": return NSMutableSet(array: try objects(fields["NS.objects"]))
        case "NSOrderedSet": return NSOrderedSet(array: try numberedObjects(fields))
        case "NSMutableOrderedSet": return NSMutableOrderedSet(array: try numberedObjects(fields))
        case "NSDictionary": return NSDictionary(dictionary: try dictionary(fields))
        case "NSMutableDictionary": return NSMutableDictionary(dictionary: try dictionary(fields))
        default: return try leaf(of: fields)
        }
    }

    private mutating func leaf(of fields: [String: Any]) throws(Refusal) -> Any {
        switch table.className(of: fields) {
        case "NSNull": return NSNull()
        case "NSDate": return NSDate(timeIntervalSinceReferenceDate: try field(fields["NS.time"]))
        case "NSString": return try field(fields["NS.string"]) as NSString
        case "NSMutableString": return NSMutableString(string: try field(fields["NS.string"]))
        case "NSData": return try field(fields["NS.data"]) as NSData
        case "NSMutableData": return NSMutableData(data: try field(fields["NS.data"]))
        case "NSUUID": return try uuid(try field(fields["NS.uuidbytes"]))
        case "NSURL": return try url(fields)
        default: throw Refusal()
        }
    }

    /// What the archiver writes in place. Its word for nil is an object nowhere but at the top, where it means none.
    private func plain(_ value: Any) throws(Refusal) -> Any {
        switch value {
        case let text as String where text != ArchiveTable.null: return text as NSString
        case is NSNumber, is NSData: return value as AnyObject
        default: throw Refusal()
        }
    }

    private mutating func field<Value>(_ value: Any?) throws(Refusal) -> Value {
        guard let value else { throw Refusal() }
        let found = table.isReference(value) ? try object(value) : value
        guard let found = found as? Value else { throw Refusal() }
        return found
    }

    private mutating func objects(_ references: Any?) throws(Refusal) -> [Any] {
        guard let references = references as? [Any] else { throw Refusal() }
        var result: [Any] = []
        for reference in references { result.append(try object(reference)) }
        return result
    }

    private mutating func numberedObjects(_ fields: [String: Any]) throws(Refusal) -> [Any] {
        if fields["NS.objects"] != nil { return try objects(fields["NS.objects"]) }
        var result: [Any] = []
        while let reference = fields["NS.object.\(result.count)"] { result.append(try object(reference)) }
        return result
    }

    private mutating func dictionary(_ fields: [String: Any]) throws(Refusal) -> [AnyHashable: Any] {
        let keys = try objects(fields["NS.keys"])
        let values = try objects(fields["NS.objects"])
        guard keys.count == values.count else { throw Refusal() }
        var result: [AnyHashable: Any] = [:]
        for (key, value) in zip(keys, values) {
            guard let key = key as? AnyHashable else { throw Refusal() }
            result[key] = value
        }
        return result
    }

    private func uuid(_ bytes: Data) throws(Refusal) -> NSUUID {
        guard bytes.count == 16 else { throw Refusal() }
        return bytes.withUnsafeBytes { NSUUID(uuidBytes: Array($0)) }
    }

    private mutating func url(_ fields: [String: Any]) throws(Refusal) -> NSURL {
        let text: String = try field(fields["NS.relative"])
        let base = fields["NS.base"].flatMap(table.index) ?? 0
        guard let url = NSURL(string: text, relativeTo: base == 0 ? nil : try field(fields["NS.base"]) as URL) else {
            throw Refusal()
        }
        return url
    }
}
