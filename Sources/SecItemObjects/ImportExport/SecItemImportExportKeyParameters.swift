// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The only version of ``SecItemImportExportKeyParameters``.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0

/// How the keys of a file are read or written. Apple:
/// [SecItemImportExportKeyParameters](https://developer.apple.com/documentation/security/secitemimportexportkeyparameters).
///
/// The objects belong to the caller and must live as long as the call. Their types are implicitly unwrapped, because
/// Swift imports some of them as optional and some as implicitly unwrapped from Apple's headers. Code compiles with and
/// without unwrapping.
public struct SecItemImportExportKeyParameters {
    /// `SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION`.
    public var version: UInt32

    /// See ``SecKeyImportExportFlags``.
    public var flags: SecKeyImportExportFlags

    /// The passphrase, a text or data in UTF-8.
    public var passphrase: Unmanaged<CFTypeRef>!

    /// The title of a window that asks for the passphrase. Ignored: there is no such window.
    public var alertTitle: Unmanaged<CFString>!

    /// The text of that window. Ignored.
    public var alertPrompt: Unmanaged<CFString>!

    /// The access control of an imported key in the Mac's file keychain. Ignored.
    public var accessRef: Unmanaged<SecAccess>!

    /// The permitted uses of imported keys: `kSecAttrCanSign` and similar attributes. Must be nil, which permits all
    /// uses.
    public var keyUsage: Unmanaged<CFArray>!

    /// Attributes of imported keys. Must be nil, or an array with `kSecAttrIsExtractable` alone.
    public var keyAttributes: Unmanaged<CFArray>!

    /// Sets all fields to zero, as in C.
    public init() {
        self.init(
            version: 0, flags: [], passphrase: nil, alertTitle: nil, alertPrompt: nil, accessRef: nil, keyUsage: nil,
            keyAttributes: nil)
    }

    /// Sets all fields.
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
