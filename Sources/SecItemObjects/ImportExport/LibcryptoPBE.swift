// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// The functions of OpenSSL 3 that encrypt with a passphrase, in a library context of their own.
///
/// OpenSSL's provider `legacy` has the old ciphers of Windows and macOS. It is loaded only into this context, so the
/// program's own use of OpenSSL does not change.
struct LibcryptoPBE: @unchecked Sendable {
    typealias Object = OpaquePointer
    typealias Bytes = UnsafePointer<UInt8>

    let readAlgorithm: LibcryptoX509.Reader
    let freeAlgorithm: LibcryptoX509.Free
    /// Algorithm, passphrase and its length, input and its length, output and its length, whether to encrypt, context, query.
    let crypt:
        @convention(c) (
            Object, UnsafePointer<CChar>?, CInt, Bytes?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            UnsafeMutablePointer<CInt>, CInt, Object, UnsafePointer<CChar>?
        ) -> UnsafeMutablePointer<UInt8>?
    /// Passphrase and its length, salt and its length, purpose, rounds, length of the key, key, digest, context, query.
    let deriveKey:
        @convention(c) (
            UnsafePointer<CChar>?, CInt, Bytes?, CInt, CInt, CInt, CInt, UnsafeMutablePointer<UInt8>, Object?, Object,
            UnsafePointer<CChar>?
        ) -> CInt
    /// PBKDF2: passphrase and its length, salt and its length, rounds, digest, length of the key, key.
    let deriveBytes:
        @convention(c) (
            UnsafePointer<CChar>?, CInt, Bytes?, CInt, CInt, Object?, CInt, UnsafeMutablePointer<UInt8>
        ) -> CInt
    /// Wipes and frees.
    let free: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafePointer<CChar>?, CInt) -> Void
    let context: Object
    let common: Libcrypto
    private let loadProvider: @convention(c) (Object, UnsafePointer<CChar>) -> Object?

    /// Nil without OpenSSL 3, which the log says, or if OpenSSL lacks memory, a function or its provider `default`.
    static let shared: LibcryptoPBE? = {
        guard let common = Libcrypto.shared else { return nil }
        return try? LibcryptoPBE(common)
    }()

    /// Whether the old ciphers are available. The first file that needs them loads their provider.
    static var hasOldCiphers: Bool {
        let found = foundOldCiphers
        if !found && shared != nil {
            // Logs after the search, because the application's log handler may itself read such a file.
            Logger(keychain: "secitem").once(
                .notice,
                "Files encrypted with RC2, RC4 or DES cannot be read: OpenSSL has no provider \"legacy\" (Debian: libssl3)."
            )
        }
        return found
    }

    private static let foundOldCiphers: Bool = {
        guard let library = shared else { return false }
        defer { library.common.clearErrors() }
        return library.loadProvider(library.context, "legacy") != nil
    }()

    private init(_ common: Libcrypto) throws {
        let library = common.library
        self.common = common
        readAlgorithm = try library.function("d2i_X509_ALGOR")
        freeAlgorithm = try library.function("X509_ALGOR_free")
        crypt = try library.function("PKCS12_pbe_crypt_ex")
        deriveKey = try library.function("PKCS12_key_gen_utf8_ex")
        deriveBytes = try library.function("PKCS5_PBKDF2_HMAC")
        free = try library.function("CRYPTO_clear_free")
        loadProvider = try library.function("OSSL_PROVIDER_load")
        let newContext: @convention(c) () -> Object? = try library.function("OSSL_LIB_CTX_new")
        guard let context = newContext() else { throw KeychainError(errSecAllocate, "OpenSSL has no memory") }
        self.context = context
        guard loadProvider(context, "default") != nil else {
            common.clearErrors()
            throw KeychainError(errSecInternalComponent, "OpenSSL has no provider \"default\"")
        }
    }

    /// - Throws: `errSecUnimplemented` without OpenSSL.
    static func required() throws(KeychainError) -> LibcryptoPBE {
        guard let shared else { throw .unimplemented("files with a passphrase need OpenSSL 3") }
        return shared
    }
}
