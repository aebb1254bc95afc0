import Foundation

/// An object made ready for a property list: immutable, without `NSNull` in its collections.
///
/// The tree is walked here, before serialisation, so that what cannot be stored is known by its type.
struct PropertyListObject {
    /// The object, made of the types that a property list has.
    let value: Any

    /// Deeper than any real value, and shallow enough for the recursion of the serialiser.
    private static let greatestDepth = 200

    /// - Throws: ``FXKeychainError/Code/unsupportedObject`` for a type that no property list holds, `NSNull` on its own
    ///   included.
    init(_ object: Any) throws(FXKeychainError) {
        value = try Self.converted(object, depth: 0)
    }

    private static func converted(_ object: Any, depth: Int) throws(FXKeychainError) -> Any {
        guard depth < greatestDepth else { throw FXKeychainError(.nestedTooDeeply) }
        switch object {
        case is String, is NSNumber, is Date: return object
        // Asked for first: a cast of NSData to Data copies byte by byte on Linux.
        case let data as NSData: return data.copy()
        case let array as NSArray: return try converted(array, depth: depth)
        case let dictionary as NSDictionary: return try converted(dictionary, depth: depth)
        default: throw FXKeychainError(.unsupportedObject, typeName: String(describing: type(of: object)))
        }
    }

    private static func converted(_ array: NSArray, depth: Int) throws(FXKeychainError) -> [Any] {
        var result: [Any] = []
        for element in array where !(element is NSNull) {
            result.append(try converted(element, depth: depth + 1))
        }
        return result
    }

    private static func converted(_ dictionary: NSDictionary, depth: Int) throws(FXKeychainError) -> [String: Any] {
        var result: [String: Any] = [:]
        for (key, element) in dictionary where !(element is NSNull) {
            guard let key = key as? String else {
                throw FXKeychainError(.unsupportedObject, typeName: "\(type(of: key)) as a key")
            }
            result[key] = try converted(element, depth: depth + 1)
        }
        return result
    }
}
