// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a caller's parameters say of the keys in a file.
struct KeyFileParameters {
    /// Nil where there is none, and where a person is to be asked.
    private let passphrase: Passphrase?
    private let asksPerson: Bool
    let takesOnlyOneKey: Bool

    /// Whether the keys of the file are to be protected.
    var isProtected: Bool { passphrase != nil || asksPerson }

    /// - Throws: `errSecParam` for another version, and a passphrase that is neither a text nor data; `errSecUnimplemented`
    ///   for what the keys of the file would have to keep to.
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
        let attributes = given.keyAttributes?.takeUnretainedValue() as? [NSString]
        guard given.keyUsage == nil, given.keyAttributes == nil || attributes == [kSecAttrIsExtractable] else {
            throw .unimplemented("keyUsage and keyAttributes cannot restrict imported keys")
        }
    }

    /// - Throws: `errSecPassphraseRequired` if there is none, `errSecInteractionNotAllowed` if a person is to be asked.
    func requiredPassphrase() throws(KeychainError) -> Passphrase {
        if asksPerson {
            throw KeychainError(errSecInteractionNotAllowed, "nobody can be asked for the passphrase")
        }
        guard let passphrase else { throw KeychainError(errSecPassphraseRequired, "a passphrase is needed") }
        return passphrase
    }
}
