import Foundation

/// The bytes of an object in the keychain: text as UTF-8, everything else as a binary property list.
struct StoredObject {
    let data: Data

    private static let plistPrefix = "bplist"

    init(data: Data) {
        self.data = data
    }

    /// - Throws: ``FXKeychainError`` when the object is neither text nor a property list.
    init(_ object: Any) throws(FXKeychainError) {
        let value = try PropertyListObject(object).value
        if let text = value as? String, !Self.looksLikePropertyList(text) {
            data = Data(text.utf8)
        } else {
            data = try Self.serialised(value)
        }
    }

    /// The object, nil when the bytes are neither text nor a binary property list.
    ///
    /// An archive of objects is not opened: whoever can write to the keychain could bring any class to life with it.
    var object: Any? {
        guard let list = Self.binaryPropertyList(data) else { return String(data: data, encoding: .utf8) }
        return Self.isArchive(list) ? nil : list
    }

    /// Text with such bytes would come back as what they spell, so it is wrapped in a property list of its own.
    private static func looksLikePropertyList(_ text: String) -> Bool {
        text.hasPrefix(plistPrefix) && binaryPropertyList(Data(text.utf8)) != nil
    }

    private static func binaryPropertyList(_ data: Data) -> Any? {
        guard data.starts(with: plistPrefix.utf8) else { return nil }
        var format = PropertyListSerialization.PropertyListFormat.binary
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        // The reader takes a plain word for a property list of the oldest kind.
        return format == .binary ? list : nil
    }

    private static func isArchive(_ list: Any) -> Bool {
        (list as? [String: Any])?["$archiver"] != nil
    }

    private static func serialised(_ value: Any) throws(FXKeychainError) -> Data {
        do {
            return try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        } catch {
            throw FXKeychainError(.unsupportedObject, typeName: String(describing: type(of: value)))
        }
    }
}
