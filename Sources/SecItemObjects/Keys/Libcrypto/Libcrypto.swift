// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// The OpenSSL 3 functions in use, loaded at the first need.
///
/// Programs do not link OpenSSL and need none of its headers: they build and start without it. Without it, the
/// algorithms that need it are not supported, and the log says once what to install.
package struct Libcrypto: Sendable {
    package typealias Key = OpaquePointer
    typealias Context = OpaquePointer
    typealias Algorithm = OpaquePointer
    typealias Bytes = UnsafePointer<UInt8>
    typealias Output = UnsafeMutablePointer<UInt8>
    typealias Count = UnsafeMutablePointer<Int>
    typealias Reader =
        @convention(c) (
            CInt, UnsafeMutablePointer<Key?>?, UnsafeMutablePointer<Bytes?>, CLong
        ) -> Key?
    typealias Begin = @convention(c) (Context) -> CInt
    typealias Transform = @convention(c) (Context, Output?, Count, Bytes?, Int) -> CInt
    typealias Verify = @convention(c) (Context, Bytes?, Int, Bytes?, Int) -> CInt
    typealias SetNumber = @convention(c) (Context, CInt) -> CInt
    typealias SetAlgorithm = @convention(c) (Context, Algorithm?) -> CInt
    typealias GetAlgorithm = @convention(c) () -> Algorithm?
    typealias Digest =
        @convention(c) (
            UnsafeRawPointer?, Int, Output, UnsafeMutablePointer<CUnsignedInt>?, Algorithm?, OpaquePointer?
        ) -> CInt

    let readPrivateKey: Reader
    let readPublicKey: Reader
    /// With the algorithm, as certificates have it.
    let readPublicKeyInfo: @convention(c) (UnsafeMutablePointer<Key?>?, UnsafeMutablePointer<Bytes?>, CLong) -> Key?
    /// Key, name of the parameter, room, its size, how much was written.
    let octets: @convention(c) (Key, UnsafePointer<CChar>, Output?, Int, Count) -> CInt
    let checkPublic: Begin
    let checkPrivate: Begin
    let beginDeriving: Begin
    let setPeer: @convention(c) (Context, Key) -> CInt
    let derive: @convention(c) (Context, Output?, Count) -> CInt
    package let freeKey: @convention(c) (Key?) -> Void
    let newContext: @convention(c) (Key, OpaquePointer?) -> Context?
    let freeContext: @convention(c) (Context?) -> Void
    let beginSigning: Begin
    let sign: Transform
    let beginVerifying: Begin
    let verify: Verify
    let beginRecovering: Begin
    let recover: Transform
    let beginEncrypting: Begin
    let encrypt: Transform
    let beginDecrypting: Begin
    let decrypt: Transform
    let setPadding: SetNumber
    let setSaltLength: SetNumber
    let setSignatureDigest: SetAlgorithm
    let setOAEPDigest: SetAlgorithm
    let digest: Digest
    package let clearErrors: @convention(c) () -> Void
    /// The library, for functions that only one part of this module needs.
    package let library: SharedLibrary
    private let algorithms: [KeyDigest: GetAlgorithm]

    /// Nil without OpenSSL 3. The log says once what is missing.
    static var shared: Libcrypto? {
        switch found {
        case .success(let library): return library
        case .failure(let missing):
            // Logged after the search, because the application's log handler may call this.
            Logger(keychain: "secitem").once(.notice, "Some algorithms of keys are not supported: \(missing.reason)")
            return nil
        }
    }

    private struct Missing: Error {
        let reason: String
    }

    private static let found: Result<Libcrypto, Missing> = {
        guard let library = try? SharedLibrary("libcrypto.so.3") else {
            return .failure(Missing(reason: "there is no libcrypto.so.3. Install OpenSSL 3 (Debian: libssl3)."))
        }
        do {
            return .success(try Libcrypto(library))
        } catch {
            return .failure(Missing(reason: "\(error)"))
        }
    }()

    private init(_ library: SharedLibrary) throws(SharedLibrary.MissingFunction) {
        self.library = library
        // Without its exit handler, which races with running threads, and without the machine's configuration.
        let initialize: @convention(c) (UInt64, OpaquePointer?) -> CInt = try library.function("OPENSSL_init_crypto")
        _ = initialize(0x0008_0000 | 0x0000_0080, nil)
        readPrivateKey = try library.function("d2i_PrivateKey")
        readPublicKey = try library.function("d2i_PublicKey")
        readPublicKeyInfo = try library.function("d2i_PUBKEY")
        octets = try library.function("EVP_PKEY_get_octet_string_param")
        checkPublic = try library.function("EVP_PKEY_public_check")
        checkPrivate = try library.function("EVP_PKEY_private_check")
        beginDeriving = try library.function("EVP_PKEY_derive_init")
        setPeer = try library.function("EVP_PKEY_derive_set_peer")
        derive = try library.function("EVP_PKEY_derive")
        freeKey = try library.function("EVP_PKEY_free")
        newContext = try library.function("EVP_PKEY_CTX_new")
        freeContext = try library.function("EVP_PKEY_CTX_free")
        beginSigning = try library.function("EVP_PKEY_sign_init")
        sign = try library.function("EVP_PKEY_sign")
        beginVerifying = try library.function("EVP_PKEY_verify_init")
        verify = try library.function("EVP_PKEY_verify")
        beginRecovering = try library.function("EVP_PKEY_verify_recover_init")
        recover = try library.function("EVP_PKEY_verify_recover")
        beginEncrypting = try library.function("EVP_PKEY_encrypt_init")
        encrypt = try library.function("EVP_PKEY_encrypt")
        beginDecrypting = try library.function("EVP_PKEY_decrypt_init")
        decrypt = try library.function("EVP_PKEY_decrypt")
        setPadding = try library.function("EVP_PKEY_CTX_set_rsa_padding")
        setSaltLength = try library.function("EVP_PKEY_CTX_set_rsa_pss_saltlen")
        setSignatureDigest = try library.function("EVP_PKEY_CTX_set_signature_md")
        setOAEPDigest = try library.function("EVP_PKEY_CTX_set_rsa_oaep_md")
        digest = try library.function("EVP_Digest")
        clearErrors = try library.function("ERR_clear_error")
        algorithms = [
            .sha1: try library.function("EVP_sha1"), .sha224: try library.function("EVP_sha224"),
            .sha256: try library.function("EVP_sha256"), .sha384: try library.function("EVP_sha384"),
            .sha512: try library.function("EVP_sha512"),
        ]
    }

    func algorithm(_ digest: KeyDigest) -> Algorithm? { algorithms[digest]?() }

    /// Runs one operation of a key, in a context of its own. Any thread may do this with the same key.
    func withContext<R>(of key: Key, _ body: (Context) -> R?) -> R? {
        guard let context = newContext(key, nil) else { return nil }
        defer {
            freeContext(context)
            clearErrors()
        }
        return body(context)
    }

    func sha224(_ message: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: KeyDigest.sha224.byteCount)
        let status = digest(message, message.count, &result, nil, algorithm(.sha224), nil)
        precondition(status == 1, "OpenSSL has no SHA-224")
        return result
    }
}
