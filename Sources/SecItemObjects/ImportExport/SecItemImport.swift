// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Reads the certificates, keys and identities in a file.
///
/// The function detects the format from the content. It reads PEM with any number of blocks. It also reads DER and BER
/// with a certificate, a key (PKCS #1, SEC 1, PKCS #8 encrypted or not, or the public key format of certificates),
/// certificates in PKCS #7, or PKCS #12. It supports RSA keys and those of P-192, P-224, P-256, P-384 and P-521. It adds nothing to
/// the keychain.
///
/// Any thread may call this. Apple:
/// [SecItemImport](https://developer.apple.com/documentation/security/secitemimport(_:_:_:_:_:_:_:_:)).
///
/// - Parameters:
///   - importedData: The file.
///   - fileNameOrExtension: Ignored: the content determines the format.
///   - inputFormat: Unless nil, the required format of a file in DER or BER; receives the actual format.
///     `formatUnknown` and `formatPEMSequence`, which may hold anything, allow every format. The value is not compared
///     with a file in PEM, whose blocks name their types, as on a Mac.
///   - itemType: Unless nil, the required content of a file in DER or BER; receives the actual content.
///     `itemTypeUnknown` and `itemTypeAggregate` allow any content. The value is not compared with PKCS #12, PKCS #7
///     and PEM, as on a Mac.
///   - flags: Ignored.
///   - keyParams: The passphrase of encrypted content.
///   - importKeychain: Ignored. A file keychain of the Mac, which does not exist on Linux.
///   - outItems: Unless nil, receives an array of `SecCertificate`, `SecKey` and `SecIdentity`, in the order of the
///     file. Identities of a PKCS #12 file come first.
/// - Returns: `errSecSuccess`, or one of these; then nothing is received:
///   - `errSecUnknownFormat`: the file has none of these formats, or not the required one.
///   - `errSecDecode`: the file is damaged.
///   - `errSecPassphraseRequired`: a passphrase is missing.
///   - `errSecInteractionNotAllowed`: the flags say to ask a person for the passphrase.
///   - `errSecAuthFailed`, or `errSecPkcs12VerifyFailure` for PKCS #12: the passphrase is wrong.
///   - `errSecMultiplePrivKeys`: more than one private key, with `importOnlyOne`.
///   - `errSecUnsupportedKeyFormat`: another type of key.
///   - `errSecUnsupportedFormat`: the encryption is unknown.
///   - `errSecUnimplemented`: a format of SSH or Netscape, a symmetric key, a use or attributes in `keyParams`, or a
///     file that needs OpenSSL 3 where it is missing.
///   - `errSecParam`: parameters that cannot be read.
///   - The limits are those of `SecPKCS12Import`.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    CallLog.status(of: "SecItemImport") { () throws(KeychainError) in
        let format = inputFormat?.pointee ?? .formatUnknown
        let type = itemType?.pointee ?? .itemTypeUnknown
        let file = try ImportedFile(importedData, as: format, type, KeyFileParameters(keyParams))
        inputFormat?.pointee = file.format
        itemType?.pointee = file.itemType
        outItems?.pointee = NSArray(array: file.objects)
    }
}

/// The objects that `SecItemImport` gives, with the reason of a failure.
package func importedObjects(
    _ data: CFData, as format: SecExternalFormat, _ type: SecExternalItemType,
    _ parameters: UnsafePointer<SecItemImportExportKeyParameters>
) throws(KeychainError) -> [AnyObject] {
    try ImportedFile(data, as: format, type, KeyFileParameters(parameters)).objects
}

extension ImportedFile {
    /// Reads a file whose format the caller may require.
    ///
    /// - Throws: `errSecUnimplemented` if the required format is not supported, `errSecUnknownFormat` if the file has
    ///   another format, and the errors of ``init(_:_:)``.
    fileprivate init(
        _ data: CFData, as format: SecExternalFormat, _ type: SecExternalItemType, _ parameters: KeyFileParameters
    ) throws(KeychainError) {
        guard format.isThere else { throw .unimplemented("this format cannot be read") }
        try self.init(FileBytes.slice(data), parameters)
        guard isPEM || [.formatUnknown, .formatPEMSequence, self.format].contains(format) && isOfType(type) else {
            throw KeychainError(errSecUnknownFormat, "the file does not have the required format")
        }
    }

    /// PKCS #12 and PKCS #7 hold several objects, so the caller's type does not apply to them.
    private func isOfType(_ type: SecExternalItemType) -> Bool {
        itemType == .itemTypeAggregate || [.itemTypeUnknown, .itemTypeAggregate, itemType].contains(type)
    }
}

extension SecExternalFormat {
    /// Whether files of the format can be read and written.
    var isThere: Bool {
        switch self {
        case .formatSSH, .formatSSHv2, .formatWrappedSSH, .formatWrappedLSH, .formatNetscapeCertSequence, .formatRawKey:
            false
        default: true
        }
    }
}
