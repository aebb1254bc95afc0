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
/// What is encrypted is encrypted with AES-256 and a key derived by PBKDF2 (HMAC with SHA-256, 100,000 rounds). In PKCS #12 an
/// identity's name is its certificate's summary.
///
/// Any thread may call this. Apple:
/// [SecItemExport](https://developer.apple.com/documentation/security/secitemexport(_:_:_:_:_:)).
///
/// - Parameters:
///   - secItemOrArray: A `SecCertificate`, `SecKey` or `SecIdentity`, or an array of them.
///   - outputFormat: The format.
///   - flags: `pemArmour` for PEM.
///   - keyParams: The passphrase to encrypt with.
///   - exportedData: Receives the file. Left alone on failure.
/// - Returns: `errSecSuccess`; `errSecParam` for other objects, parameters that cannot be read, and a passphrase for a private key
///   in a format that would not encrypt it; `errSecKeyIsSensitive` for a key that does not leave;
///   `errSecUnsupportedFormat` for items that the format does not hold; `errSecPassphraseRequired` without a passphrase where
///   the format needs one, and `errSecInteractionNotAllowed` where a person is to be asked for it; `errSecUnimplemented` for
///   all other formats, and without OpenSSL 3 where something is to be encrypted.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    KeychainCalls.status(of: "SecItemExport") { () throws(KeychainError) in
        let parameters = try KeyFileParameters(keyParams)
        let items = try ExportedItems(secItemOrArray)
        let format = outputFormat == .formatUnknown ? items.usualFormat : outputFormat
        var bytes = try items.bytes(format, isArmoured: flags.contains(.pemArmour), parameters)
        defer { bytes.wipe() }
        exportedData.pointee = bytes.withUnsafeBytes { ResultData(copying: $0) }
    }
}
