// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes certificates, keys and identities in the format of a file.
///
/// ```swift
/// var parameters = SecItemImportExportKeyParameters()
/// let passphrase: CFString = "secret"
/// parameters.passphrase = .passUnretained(passphrase)
/// var file: CFData?
/// let status = SecItemExport(identity, .formatPKCS12, [], &parameters, &file)
/// ```
///
/// | format | holds |
/// | --- | --- |
/// | `formatX509Cert` | one certificate |
/// | `formatOpenSSL` | one key, not encrypted: PKCS #1 or SEC 1 for a private key, X.509's form for a public one |
/// | `formatBSAFE` | one key, not encrypted: PKCS #8 for a private key, PKCS #1 for a public one of RSA |
/// | `formatWrappedPKCS8` | one private key, encrypted |
/// | `formatPEMSequence` | any items; private keys encrypted as PKCS #8 with a passphrase, else as `formatOpenSSL` |
/// | `formatPKCS7` | certificates |
/// | `formatPKCS12` | certificates, private keys and identities, encrypted |
/// | `formatUnknown` | `formatX509Cert` or `formatOpenSSL` for one certificate or key, else `formatPEMSequence` |
///
/// Encryption uses AES-256 and a key derived by PBKDF2 (HMAC with SHA-256, 100,000 rounds). In PKCS #12, the name of a
/// key is the label of its item or its name in the file from which it was read, or else the summary of its certificate.
///
/// Any thread may call this. Apple:
/// [SecItemExport](https://developer.apple.com/documentation/security/secitemexport(_:_:_:_:_:)).
///
/// - Parameters:
///   - secItemOrArray: A `SecCertificate`, `SecKey` or `SecIdentity`, or an array of them.
///   - outputFormat: The format.
///   - flags: `pemArmour` for PEM.
///   - keyParams: The passphrase for encryption.
///   - exportedData: Receives the file. It does not change on failure.
/// - Returns: `errSecSuccess`, or one of these:
///   - `errSecParam`: another type of object, parameters that cannot be read, or a passphrase for a private key in a
///     format that would not encrypt it.
///   - `errSecKeyIsSensitive`: the key may not be exported.
///   - The status of a look-up of the data, if the key requires a proof and nobody gave it.
///   - `errSecUnsupportedFormat`: the format cannot hold the items.
///   - `errSecPassphraseRequired`: the format needs a passphrase, and there is none.
///   - `errSecInteractionNotAllowed`: the flags say to ask a person for the passphrase.
///   - `errSecUnimplemented`: any other format; or encryption without OpenSSL 3.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    CallLog.status(of: "SecItemExport") { () throws(KeychainError) in
        let parameters = try KeyFileParameters(keyParams)
        let items = try ExportedItems(secItemOrArray, outputFormat)
        exportedData.pointee = try items.file(isArmoured: flags.contains(.pemArmour), parameters)
    }
}
