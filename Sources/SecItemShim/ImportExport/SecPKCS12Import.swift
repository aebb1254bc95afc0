// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the identities of a PKCS #12 file.
///
/// ```swift
/// var items: CFArray?
/// let status = SecPKCS12Import(file as CFData, [kSecImportExportPassphrase: "secret"] as CFDictionary, &items)
/// ```
///
/// Gives a dictionary for each private key whose certificate is in the file: `kSecImportItemIdentity`,
/// `kSecImportItemCertChain` (leaf first, as far as the certificates of the file and of the machine go),
/// `kSecImportItemTrust` (with the basic policy; ask it whether the chain is trusted), `kSecImportItemKeyID` (the hash of the
/// public key, as in `kSecAttrApplicationLabel`) and `kSecImportItemLabel` (the name in the file, else the certificate's
/// summary). Other certificates only help to build the chains. A file without an identity gives an empty array.
///
/// The keychain is left alone, as on iOS. With `kSecUseDataProtectionKeychain` true, and not `kSecImportToMemoryOnly`, the keys
/// and the certificates of the chains are also added to it, with the other options as their attributes.
///
/// Any thread may call this. It takes the time that the file's digests take: usually less than a second, some tens of seconds for a file that
/// asks for as much work as is done at all. Apple:
/// [SecPKCS12Import](https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)).
///
/// - Parameters:
///   - pkcs12_data: The file, in DER or BER.
///   - options: `kSecImportExportPassphrase`, a text or data in UTF-8; without it the passphrase is empty.
///     `kSecImportExportKeychain` and `kSecImportExportAccess` are not looked at: they are about the Mac's file keychain.
///   - items: Receives the array. Left alone on failure.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` for a passphrase that is not the file's, and for a file that was changed;
///   `errSecDecode` for what is no such file, has no code that shows that it is whole, or wants its passphrase digested more than
///   ten million times; `errSecUnsupportedKeyFormat` for a key that is neither RSA nor of a curve that is there;
///   `errSecUnsupportedFormat` for unknown encryption; `errSecUnimplemented` without OpenSSL 3, without its provider `legacy`
///   where a cipher needs it, or for scrypt with more than 32 MiB; `errSecDataTooLarge` above 8 MiB, 4096 parts, or 1 MiB for a
///   certificate;
///   `errSecParam` for a passphrase of another type; what `SecItemAdd` answers where the items are added: those before the one
///   that failed stay.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    withDefaultStore { $0.importPKCS12(pkcs12_data, options, items) }
}
