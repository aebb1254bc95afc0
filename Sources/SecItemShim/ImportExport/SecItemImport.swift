// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Reads certificates, keys and identities of a file.
///
/// Takes PEM with any number of blocks, and DER or BER with: a certificate, a key in PKCS #1, SEC 1, PKCS #8 (encrypted or not) or
/// as certificates have it, certificates in PKCS #7, and PKCS #12. What is there is found out from the content. RSA keys and
/// those of P-256, P-384 and P-521 are read. Nothing is added to the keychain.
///
/// Any thread may call this. Apple:
/// [SecItemImport](https://developer.apple.com/documentation/security/secitemimport(_:_:_:_:_:_:_:_:)).
///
/// - Parameters:
///   - importedData: The file.
///   - fileNameOrExtension: Not looked at: the content says more.
///   - inputFormat: If not nil, the format that a file in DER or BER must have; receives the one that it has. `formatUnknown`
///     and `formatPEMSequence`, which may hold anything, demand nothing. Of a file in PEM nothing is demanded: as on a Mac, its
///     blocks say what they are.
///   - itemType: If not nil, what a file in DER or BER must hold; receives what it holds. `itemTypeUnknown` and
///     `itemTypeAggregate` demand nothing. Of PKCS #12, PKCS #7 and PEM nothing is demanded, as on a Mac.
///   - flags: Not looked at.
///   - keyParams: The passphrase of what is encrypted.
///   - importKeychain: A file keychain of the Mac, of which there are none.
///   - outItems: Receives, if not nil, an array of `SecCertificate`, `SecKey` and `SecIdentity` in the order of the file; of a
///     PKCS #12 file identities come first.
/// - Returns: `errSecSuccess`; `errSecUnknownFormat` for a file of none of these formats, or of another one than the caller
///   names; `errSecDecode` for one that is damaged; `errSecPassphraseRequired` where a passphrase is missing, and
///   `errSecInteractionNotAllowed` where a person is to be asked for it; for a wrong one `errSecAuthFailed`, and
///   `errSecPkcs12VerifyFailure` in PKCS #12; `errSecMultiplePrivKeys` for more than one private key with `importOnlyOne`;
///   `errSecUnsupportedKeyFormat` for keys of other kinds; `errSecUnimplemented` for the formats of SSH and Netscape, symmetric
///   keys, a use or attributes in `keyParams`, and without OpenSSL 3 for what it is needed for; `errSecParam` for parameters that
///   cannot be read; limits as for `SecPKCS12Import`. On failure nothing is received.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    KeychainCalls.status(of: "SecItemImport") { () throws(KeychainError) in
        let format = inputFormat?.pointee ?? .formatUnknown
        let type = itemType?.pointee ?? .itemTypeUnknown
        let file = try FirstUse.performing(#function) { () throws(KeychainError) in
            try ImportedFile(importedData, as: format, type, KeyFileParameters(keyParams))
        }
        inputFormat?.pointee = file.format
        itemType?.pointee = file.itemType
        outItems?.pointee = NSArray(array: file.objects)
    }
}

extension ImportedFile {
    /// Reads a file that the caller may say the format of.
    ///
    /// - Throws: `errSecUnimplemented` for a format that is not there, `errSecUnknownFormat` for a file of another, and as
    ///   ``init(_:_:)``.
    fileprivate init(
        _ data: CFData, as format: SecExternalFormat, _ type: SecExternalItemType, _ parameters: KeyFileParameters
    ) throws(KeychainError) {
        guard format.isThere else { throw .unimplemented("the format is not read") }
        try self.init(FileBytes.slice(data), parameters)
        guard isPEM || [.formatUnknown, .formatPEMSequence, self.format].contains(format) && isOfType(type) else {
            throw KeychainError(errSecUnknownFormat, "the file is of another format")
        }
    }

    /// PKCS #12 and PKCS #7 hold several objects: what the caller says of one is not about them.
    private func isOfType(_ type: SecExternalItemType) -> Bool {
        itemType == .itemTypeAggregate || [.itemTypeUnknown, .itemTypeAggregate, itemType].contains(type)
    }
}

extension SecExternalFormat {
    /// Whether files of the format are read and written here.
    var isThere: Bool {
        switch self {
        case .formatSSH, .formatSSHv2, .formatWrappedSSH, .formatWrappedLSH, .formatNetscapeCertSequence, .formatRawKey:
            false
        default: true
        }
    }
}
