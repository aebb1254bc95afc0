// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the identities in a PKCS #12 file.
///
/// ```swift
/// var items: CFArray?
/// let status = SecPKCS12Import(file as CFData, [kSecImportExportPassphrase: "secret"] as CFDictionary, &items)
/// ```
///
/// The result has a dictionary for each private key whose certificate is in the file. Copies of the two count once. It
/// has these entries:
///
/// - `kSecImportItemIdentity`.
/// - `kSecImportItemCertChain`: the chain, leaf first, as far as the certificates of the file and of the machine
///   complete it. The chains of a file have one budget together: beyond it, a chain is the leaf alone.
/// - `kSecImportItemTrust`: a trust with the basic policy; evaluate it to learn whether the chain is trusted.
/// - `kSecImportItemKeyID`: the hash of the public key, as in `kSecAttrApplicationLabel`.
/// - `kSecImportItemLabel`: the name in the file, or else the certificate's summary.
///
/// Other certificates only help to complete the chains. A file without an identity gives an empty array.
///
/// The keychain does not change, as on iOS. With `kSecUseDataProtectionKeychain` true and `kSecImportToMemoryOnly` not
/// true, the function also adds the keys and the certificates of the chains to the keychain. The other options become
/// attributes of these items. A key's name in the file becomes its label, unless `kSecAttrLabel` is among the options.
///
/// Any thread may call this. The call usually takes less than a second. A file that demands the greatest amount of work
/// that the limits allow takes some tens of seconds. Apple:
/// [SecPKCS12Import](https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)).
///
/// - Parameters:
///   - pkcs12_data: The file, in DER or BER.
///   - options: `kSecImportExportPassphrase`, a string, or data in UTF-8. Without it, the passphrase is empty.
///     `kSecImportExportKeychain` and `kSecImportExportAccess` concern the Mac's file keychain, and are ignored.
///   - items: Receives the array. It does not change on failure.
/// - Returns: `errSecSuccess`, or one of these:
///   - `errSecAuthFailed`: the passphrase is wrong, or the file was changed.
///   - `errSecDecode`: the file is not PKCS #12, has no MAC, or demands more than ten million rounds of digests of its
///     passphrase.
///   - `errSecUnsupportedKeyFormat`: a key is neither RSA nor on a supported curve.
///   - `errSecUnsupportedFormat`: the encryption is unknown.
///   - `errSecUnimplemented`: OpenSSL 3 is missing, or its provider `legacy` where a cipher needs it; or scrypt needs
///     more than 32 MiB.
///   - `errSecDataTooLarge`: the file exceeds 8 MiB or 4096 parts, or a certificate exceeds 1 MiB.
///   - `errSecParam`: the passphrase has another type, or more than 64 KiB.
///   - A status of `SecItemAdd`, if the items are added. Items that were added before the one that failed stay.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    withDefaultStore { $0.importPKCS12(pkcs12_data, options, items) }
}
