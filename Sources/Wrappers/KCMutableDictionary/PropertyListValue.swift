import Foundation

/// A value made of the immutable types that a property list has.
///
/// The conversion happens before anything is locked: a value may be a dictionary that has a lock of its own.
enum PropertyListValue {
    /// Deeper than any real value, and shallow enough for the recursion of the serialiser.
    private static let greatestDepth = 200

    static func key(_ key: Any) throws(KCMutableDictionaryError) -> String {
        guard let text = key as? String else { throw .notPropertyList }
        return text
    }

    static func value(_ object: Any, depth: Int = 0) throws(KCMutableDictionaryError) -> Any {
        guard depth < greatestDepth else { throw .notPropertyList }
        switch object {
        case let text as String: return text
        case is NSNumber, is Date: return object
        // Asked for first: a cast of NSData to Data copies byte by byte on Linux.
        case let data as NSData: return Data(bytes: data.bytes, count: data.length)
        case let array as NSArray:
            return try array.mapped { (element) throws(KCMutableDictionaryError) in
                try value(element, depth: depth + 1)
            }
        case let dictionary as NSDictionary: return try entries(dictionary, depth: depth)
        default: throw .notPropertyList
        }
    }

    private static func entries(_ dictionary: NSDictionary, depth: Int) throws(KCMutableDictionaryError) -> [String:
        Any]
    {
        var result: [String: Any] = [:]
        for (name, element) in dictionary {
            result[try key(name)] = try value(element, depth: depth + 1)
        }
        return result
    }
}

extension NSArray {
    fileprivate func mapped(
        _ transform: (Any) throws(KCMutableDictionaryError) -> Any
    ) throws(KCMutableDictionaryError) -> [Any] {
        var result: [Any] = []
        for element in self { result.append(try transform(element)) }
        return result
    }
}
