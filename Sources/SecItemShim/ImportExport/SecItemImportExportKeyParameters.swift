// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The version of ``SecItemImportExportKeyParameters`` that there is.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0

/// How the keys of a file are read or written. Apple:
/// [SecItemImportExportKeyParameters](https://developer.apple.com/documentation/security/secitemimportexportkeyparameters).
///
/// The objects stay the caller's: they have to live as long as the call. Their types are implicitly unwrapped, as Swift has
/// imported some of them from each of Apple's headers: code that unwraps them compiles, and so does code that does not.
public struct SecItemImportExportKeyParameters {
    /// `SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION`.
    public var version: UInt32

    /// See ``SecKeyImportExportFlags``.
    public var flags: SecKeyImportExportFlags

    /// The passphrase, a text or data in UTF-8.
    public var passphrase: Unmanaged<CFTypeRef>!

    /// The title of a window that asks for the passphrase. There is none, and this is not looked at.
    public var alertTitle: Unmanaged<CFString>!

    /// The text of that window. Not looked at.
    public var alertPrompt: Unmanaged<CFString>!

    /// Who may use an imported key in the Mac's file keychain. Not looked at.
    public var accessRef: Unmanaged<SecAccess>!

    /// What imported keys may be used for: `kSecAttrCanSign` and its like. Nil for everything, and nothing else is there yet.
    public var keyUsage: Unmanaged<CFArray>!

    /// Attributes of imported keys. Nil, or an array with `kSecAttrIsExtractable` alone.
    public var keyAttributes: Unmanaged<CFArray>!

    /// Zeros, as in C.
    public init() {
        self.init(
            version: 0, flags: [], passphrase: nil, alertTitle: nil, alertPrompt: nil, accessRef: nil, keyUsage: nil,
            keyAttributes: nil)
    }

    /// All of it.
    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>!,
        alertTitle: Unmanaged<CFString>!, alertPrompt: Unmanaged<CFString>!, accessRef: Unmanaged<SecAccess>!,
        keyUsage: Unmanaged<CFArray>!, keyAttributes: Unmanaged<CFArray>!
    ) {
        self.version = version
        self.flags = flags
        self.passphrase = passphrase
        self.alertTitle = alertTitle
        self.alertPrompt = alertPrompt
        self.accessRef = accessRef
        self.keyUsage = keyUsage
        self.keyAttributes = keyAttributes
    }
}
