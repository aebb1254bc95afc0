// SPDX-License-Identifier: Apache-2.0

import Foundation

struct KeyFileParameters {
    /// Nil if there is none, or if a person should be asked.
    private let passphrase: Passphrase?
    private let asksPerson: Bool
    let takesOnlyOneKey: Bool

    /// Whether the keys of the file should be encrypted.
    var isProtected: Bool { passphrase != nil || asksPerson }

    /// - Throws: `errSecParam` for an unknown version, if the passphrase is neither text nor data, or if the attributes are
    ///   no array; `errSecUnimplemented` for restrictions on the keys.
    init(_ parameters: UnsafePointer<SecItemImportExportKeyParameters>?) throws(KeychainError) {
        guard let given = parameters?.pointee else {
            passphrase = nil
            asksPerson = false
            takesOnlyOneKey = false
            return
        }
        guard given.version == UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION) else {
            throw .param("the version of the parameters is unknown")
        }
        asksPerson = given.flags.contains(.securePassphrase)
        takesOnlyOneKey = given.flags.contains(.importOnlyOne)
        let value = given.passphrase.map { CallerValue($0.takeUnretainedValue()) }
        passphrase = asksPerson ? nil : try value.map(Passphrase.init)
        let attributes = try given.keyAttributes.map(Self.names) ?? [kSecAttrIsExtractable]
        guard given.keyUsage == nil, attributes == [kSecAttrIsExtractable] else {
            throw .unimplemented("keyUsage and keyAttributes cannot restrict imported keys")
        }
    }

    /// The names in a list of attributes. A program in C may pass any object.
    private static func names(_ list: Unmanaged<CFArray>) throws(KeychainError) -> [NSString?] {
        let object = Unmanaged<AnyObject>.fromOpaque(list.toOpaque()).takeUnretainedValue()
        guard case .array(let array) = CallerValue(object) else { throw .param("keyAttributes is not an array") }
        return array.callerElements.map { $0 as? NSString }
    }

    /// - Throws: `errSecPassphraseRequired` if there is none, `errSecInteractionNotAllowed` if a person should be
    ///   asked.
    func requiredPassphrase() throws(KeychainError) -> Passphrase {
        if asksPerson {
            throw KeychainError(errSecInteractionNotAllowed, "nobody can be asked for the passphrase")
        }
        guard let passphrase else { throw KeychainError(errSecPassphraseRequired, "a passphrase is needed") }
        return passphrase
    }
}
