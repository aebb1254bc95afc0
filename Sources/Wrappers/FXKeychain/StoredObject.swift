// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding

/// The bytes of an object in the keychain. Text is UTF-8. Everything else is a binary property list or, if
/// ``FXKeychain/usesNSCoding`` is set, an archive.
struct StoredObject {
    let data: Data

    private static let archiveKey = "root"
    private static let plistPrefix = "bplist"

    init(data: Data) {
        self.data = data
    }

    /// - Throws: ``FXKeychainError`` if the object cannot be stored, or could not be read again.
    init(_ object: Any, usesNSCoding: Bool) throws(FXKeychainError) {
        if let text = object as? String, !Self.looksLikePropertyList(text) {
            data = Data(text.utf8)
            return
        }
        do throws(CodingFailure) {
            data = try Self.propertyList(object, nulls: usesNSCoding ? .refused : .leftOut)
        } catch {
            guard usesNSCoding else { throw FXKeychainError(error) }
            data = try Self.archive(object)
        }
    }

    /// The object. Nil if the bytes are neither text, nor a binary property list, nor an archive that may be opened.
    func object(usesNSCoding: Bool) -> Any? {
        guard data.starts(with: Self.plistPrefix.utf8), let list = try? PropertyList(binary: data) else {
            return ExactText(utf8: data)?.string
        }
        guard KeyedArchive.isArchive(list) else { return try? list.object() }
        guard usesNSCoding else { return nil }
        return try? KeyedArchive.object(in: data, key: Self.archiveKey, classes: .supportingSecureCoding)
    }

    /// Such text would be read back as a property list, so it is stored inside a property list.
    private static func looksLikePropertyList(_ text: String) -> Bool {
        text.utf8.starts(with: plistPrefix.utf8) && (try? PropertyList(binary: Data(text.utf8))) != nil
    }

    private static func propertyList(_ object: Any, nulls: PropertyList.Nulls) throws(CodingFailure) -> Data {
        let list = try PropertyList(object, nulls: nulls)
        // Such a dictionary would be read back as an archive.
        guard !KeyedArchive.isArchive(list) else {
            throw CodingFailure(.unsupported, typeName: "a dictionary with the key $archiver")
        }
        _ = try list.object()
        return try list.checkedBinary()
    }

    private static func archive(_ object: Any) throws(FXKeychainError) -> Data {
        do throws(CodingFailure) {
            return try KeyedArchive.data(of: object, key: archiveKey, classes: .supportingSecureCoding)
        } catch {
            throw FXKeychainError(error)
        }
    }
}

extension FXKeychainError {
    fileprivate init(_ failure: CodingFailure) {
        let code: Code =
            switch failure.kind {
            case .tooDeep: .nestedTooDeeply
            case .tooLarge: .tooManyValues
            case .unsupported, .damaged, .refusedClass: .unsupportedObject
            }
        self.init(code, typeName: failure.typeName)
    }
}
